/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: inner_counters
 * about: counters that are compared with those of loops inside, turns of which are recorded at once: what they would be
 * about: compared with there decides, too
 * args: 40
 * ranks: 2
 */
#include <mpi.h>
#include <stdlib.h>

static double field[64];

static void say(int n)
{
    MPI_Bcast(field, n & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

/* A loop inside that is shorter each time, of which one turn shows all. */
static void triangle(int n)
{
    for (int i = n; i > 0; i--)
        for (int j = 0; j < i; j++)
            say(1);
    for (int i = n; i > 0; i -= 2) {
        for (long j = -3; j + 1 <= i; j += 2)
            say(2);
        say(3);
    }
}

/* Only some turns of the loop inside compare. */
static void at_times(int n)
{
    for (int i = n; i > 0; i--)
        for (int j = 0; j < 100; j++)
            say(j % 9 == 5 && i > j ? 4 : 5);
    for (int i = 0; i < n; i++)
        for (int j = 100; j > 0; j--)
            say(j % 9 == 5 && i > j ? 6 : 7);
    for (int i = n; i > 0; i--)
        for (int j = 0, k = 0; j < 200; j++, k = k == 18 ? 0 : k + 1)
            if (k == 17)
                say(i > j ? 8 : 9);
            else
                say(10);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 40;
    triangle(n);
    at_times(n);
    MPI_Finalize();
    return 0;
}
