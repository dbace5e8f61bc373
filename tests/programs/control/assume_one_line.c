/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: assume_one_line
 * about: the iterations of a loop on whose line there is another condition, which does not end it
 * assume: assume_one_line.c:21=3
 * assume: assume_one_line.c:23=3
 */
#include <mpi.h>

static double field[64];
static int most;

static void say(int count)
{
    MPI_Bcast(field, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void bits(int n, int *lowest)
{
    int place = 0, steps = 0;
    /* clang-format off */
    do { if (n & 1) say(10 + place); n >>= 1; place++; } while (n);
    /* all of the loop, and a condition of two comparisons */
    do { if (steps & 1) say(20 + steps); steps++; } while (steps < 3 && most > 0);
    /* clang-format on */
    *lowest = place;
}

int main(int argc, char **argv)
{
    int one = 1, places = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        field[i] = i * 0.25;
    MPI_Allreduce(&one, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++) {
        bits(3 + most + i, &places);
        say(places);
    }
    MPI_Finalize();
    return 0;
}
