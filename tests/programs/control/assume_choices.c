/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: assume_choices
 * about: assumptions about conditions that choose between a constant and something else, which GCC exchanges
 * assume: assume_choices.c:28=never
 * assume: assume_choices.c:30=always
 * assume: assume_choices.c:32.2=never
 * assume: assume_choices.c:34.2=always
 * assume: assume_choices.c:36=always
 */
#include <mpi.h>

#define SIXTEEN 16

static int field[64], most[3];

static void say(int count)
{
    MPI_Bcast(field, count, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int given[3] = {1, 2, 3};
    MPI_Init(&argc, &argv);
    MPI_Allreduce(given, most, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    int one = most[0], two = most[1], three = most[2];
    /* each assumption holds: it says what the comparison does in every run */
    int n = one > 5 ? 4 : two + 3;
    say(n);
    n = !(one > 5 || two > 7) ? 8 : two;
    say(n);
    n = (one > 0 || two > 7) ? 12 : two + three;
    say(n);
    n = (one > 2 && two > 1) ? 14 : two;
    say(n);
    n = one == 1 ? SIXTEEN : three;
    say(n);
    MPI_Finalize();
    return 0;
}
