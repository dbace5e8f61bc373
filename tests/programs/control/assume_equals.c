/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: assume_equals
 * about: assumptions about comparisons of one variable with many constants, of which GCC would make one branch
 * assume: assume_equals.c:26.2=never
 * assume: assume_equals.c:26.5=always
 * assume: assume_equals.c:32=never
 */
#include <mpi.h>

static int field[64], most[2];

static void say(int count)
{
    MPI_Bcast(field, count, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int given[2] = {1, 7}, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(given, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    int x = most[0], kind = most[1];
    /* each assumption holds: it says what the comparison does in every run */
    for (int i = 0; i < 20; i++) {
        int odd = 2 * i + x;
        if ((odd == 1 || odd == 4 || odd == 9 || odd == 15) && x >= 0)
            count++;
    }
    say(count);
    if (kind == 3)
        say(4);
    else if (kind == 5)
        say(6);
    else if (kind == 7)
        say(8);
    else if (kind == 11)
        say(10);
    MPI_Finalize();
    return 0;
}
