/* commslice-test: fn_table
 * about: a table of handlers, chosen by a broadcast seed, decides which calls happen
 * ranks: 2 3 4
 * gone: crunch grind
 * array: heap 16
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

struct ctx {
    int rank, size, count;
    double *heap;
};

typedef void handler(struct ctx *);

static void ring(struct ctx *c)
{
    MPI_Sendrecv_replace(c->heap, c->count, MPI_DOUBLE, (c->rank + 1) % c->size, 1,
                         (c->rank + c->size - 1) % c->size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void star(struct ctx *c)
{
    MPI_Gather(c->heap, c->count, MPI_DOUBLE, c->heap + 4096, c->count, MPI_DOUBLE, c->count % c->size, MPI_COMM_WORLD);
}

static void grow(struct ctx *c)
{
    c->count += 3;
}

static void grind(double *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * 0.5 + (double)(i & 7);
}

static void crunch(struct ctx *c)
{
    grind(c->heap, N / 4);
}

static handler *const table[] = {ring, crunch, grow, star};

static handler *choose(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return table[(*seed >> 16) & 3];
}

int main(int argc, char **argv)
{
    struct ctx c = {.count = 4};
    unsigned seed = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c.size);
    if (c.rank == 0)
        seed = 2024u;
    MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    c.heap = calloc(N, sizeof *c.heap);
    for (int i = 0; i < 20; i++)
        choose(&seed)(&c);
    printf("rank %d: count %d, %g\n", c.rank, c.count, c.heap[N / 5]);
    free(c.heap);
    MPI_Finalize();
    return 0;
}
