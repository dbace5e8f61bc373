/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_asked_later
 * about: a function is asked early, and late for what only another message shows to matter: what has run in between
 * about: counts then, in all that it calls
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void ring(int n)
{
    int out[64] = { 0 }, in[64];
    MPI_Sendrecv(out, n, MPI_INT, (rank + 1) % size, 0, in, n, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d\n", n);
}

static int *level, wanted;

static int depth(int i)
{
    return level[i] + 1;
}

static int highest(void)
{
    int best = 0;
    for (int i = 0; i < 8; i++)
        if (depth(i) > best)
            best = depth(i);
    return best;
}

/* Its answer goes to the next rank, which sends so many. */
static void ask(void)
{
    int mine = highest();
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 1, &wanted, 1, MPI_INT, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void grow(int by)
{
    for (int i = 0; i < 8; i += 2)
        level[i] += by;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    level = calloc(8, sizeof *level);
    ring(highest());
    grow(3);
    ask();
    grow(2);
    ring(wanted);
    wanted = highest() > 3 ? 2 : 7;
    grow(1);
    ring(wanted);
    free(level);
    MPI_Finalize();
    return 0;
}
