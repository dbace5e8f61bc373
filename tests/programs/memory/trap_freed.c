/* commslice-test: trap_freed
 * about: memory that only sometimes belongs to who frees it: flags, swapped pointers, tables that live on, a pointer
 * about: that is null after it was freed and filled again: a slice that frees more, or less in part, reads what is gone
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct owner {
    int *data;
    bool owned;
};
static int shared[4] = {3, 1, 4, 1};
static int *cache;

static struct owner lend(int step)
{
    struct owner o = {shared, false};
    if (step % 3 == 0) {
        o.data = malloc(sizeof shared);
        o.owned = true;
        for (int i = 0; i < 4; i++)
            o.data[i] = step + i;
    }
    return o;
}

static int use(int step)
{
    struct owner o = lend(step);
    int n = o.data[step % 4] % 7 + 1;
    if (o.owned)
        free(o.data);
    return n;
}

/* Two tables that change places; the one that is freed was the last but one. */
static int swapped(int steps)
{
    int *old = calloc(64, sizeof *old), *now = calloc(64, sizeof *now), n = 0;
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < 64; i++)
            now[i] = old[(i + 1) % 64] + i % 3;
        n += now[k % 64] % 4;
        int *t = old;
        old = now;
        if (k % 2) {
            free(t);
            t = calloc(64, sizeof *t);
        }
        now = t;
    }
    free(old);
    free(now);
    return n % 9 + 1;
}

/* Fills the table when it is not there; drops it in every fourth step. */
static int cached(int step)
{
    if (!cache) {
        cache = malloc(16 * sizeof *cache);
        for (int i = 0; i < 16; i++)
            cache[i] = step + i;
    }
    int n = cache[step % 16] % 5 + 1;
    if (step % 4 == 3) {
        free(cache);
        cache = NULL;
    }
    return n;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 24; step++) {
        int n = use(step) + swapped(step) + cached(step);
        int *buffer = calloc(n, sizeof *buffer);
        buffer[0] = rank;
        MPI_Bcast(buffer, n, MPI_INT, step % size, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%d %d\n", step, n);
        free(buffer);
    }
    free(cache);
    MPI_Finalize();
    return 0;
}
