/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: assume_kth
 * about: assumptions about the Kth comparison of a condition whose comparisons GCC joins from -O1 on: they are counted
 * about: as in the source
 * assume: assume_kth.c:29.1=always
 * assume: assume_kth.c:31.1=never
 * assume: assume_kth.c:33.2=always
 * assume: assume_kth.c:37.3=never
 * assume: assume_kth.c:39.1=always
 * assume: assume_kth.c:41.2=never
 * assume: assume_kth.c:43.2=never
 */
#include <mpi.h>

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
    if (one > 0 && two > 5)
        say(4);
    if (one > 5 || two > 1)
        say(6);
    if (one == 1 && two == 2 && three == 4)
        say(8);
    else
        say(10);
    if ((one == 1 || two == 7) && three > 9)
        say(12);
    while (one > 0 && three < 40)
        three *= 3;
    if (!(one == 3) && !(two < 9))
        say(14);
    if (one == 1 && (two == 9 || three == 3))
        say(16);
    say(three);
    MPI_Finalize();
    return 0;
}
