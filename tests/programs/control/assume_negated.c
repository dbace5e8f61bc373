/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: assume_negated
 * about: assumptions about the Kth comparison where several, or a flag, are negated: they mean it as the source has it
 * assume: assume_negated.c:41.1=never
 * assume: assume_negated.c:43.2=never
 * assume: assume_negated.c:46.1=always
 * assume: assume_negated.c:50.1=never
 * assume: assume_negated.c:52.2=never
 * assume: assume_negated.c:54.1=never
 * assume: assume_negated.c:56.1=always
 * assume: assume_negated.c:58.2=never
 * assume: assume_negated.c:60.1=always
 */
#include <mpi.h>
#include <stdbool.h>

static int field[64], most[3];
static double residual = 1, part;

static void say(int count)
{
    MPI_Bcast(field, count, MPI_INT, 0, MPI_COMM_WORLD);
}

static void halve(void)
{
    double mine = residual / 2;
    MPI_Allreduce(&mine, &residual, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int given[3] = {1, 2, 3}, turn = 0;
    MPI_Init(&argc, &argv);
    MPI_Allreduce(given, most, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&residual, &part, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    int one = most[0], two = most[1], three = most[2];
    bool flag = one < 50;
    int number = two < 60;
    /* each assumption holds: it says what the comparison does in every run */
    while (!(residual < 1e-6 || turn >= 5))
        halve(), turn++;
    if (!(one == 1 || two == 7))
        say(4);
    for (;;) {
        if (!(residual > 1e-9 && turn < 7))
            break;
        halve(), turn++;
    }
    if (!flag || three < 2)
        say(6);
    if (three == 3 && !(one < 0 || part < 0))
        say(8);
    if (!number || three < 1)
        say(10);
    if (!(one & 64) && three > 2)
        say(12);
    if (!(!flag && two == 9) && three > 2)
        say(14);
    if (!(one > 5) && !(three < 1 || !number))
        say(16);
    say(three);
    MPI_Finalize();
    return 0;
}
