/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: assume_constants
 * about: conditions that only choose between constants, of which GCC makes two ways to one place: always and never mean
 * about: the side that the source says; with several comparisons, too
 * assume: assume_constants.c:34=always
 * assume: assume_constants.c:36=never
 * assume: assume_constants.c:39=always
 * assume: assume_constants.c:44=always
 * assume: assume_constants.c:49=never
 * assume: assume_constants.c:53=always
 * assume: assume_constants.c:56=never
 * assume: assume_constants.c:58=always
 */
#include <mpi.h>

static double field[64];
static int most;

static void say(int count)
{
    MPI_Bcast(field, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int one = 1, chosen, given;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        field[i] = i * 0.25;
    MPI_Allreduce(&one, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    most += 1;
    given = field[4] > 0;
    /* most is 2, given is 1 */
    say(most > 0 ? 4 : 6);
    most += given;
    say(most < 0 ? 8 : 10);
    most += given;
    chosen = 13;
    if (most > 2)
        chosen = 12;
    say(chosen);
    most -= 2 * given;

    if (most > 1 && most < 9)
        chosen = 14;
    else
        chosen = 16;
    say(chosen);
    if (most < 0 || most > 9)
        chosen = 18;
    else
        chosen = 20;
    chosen += (most > 1 || field[3] > 2) ? 1 : 3;
    say(chosen);
    most += given;
    chosen = most > 5 && field[8] > 1 ? 22 : 24;
    say(chosen);
    say(most > 1 ? most : 6);
    MPI_Finalize();
    return 0;
}
