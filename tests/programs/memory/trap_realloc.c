/* commslice-test: trap_realloc
 * about: counts live in memory that was zeroed by calloc, grown by realloc, on the stack by alloca and in a VLA
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <alloca.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

struct vec { int n, cap, *v; };

static void push(struct vec *a, int x)
{
    if (a->n == a->cap) {
        a->cap = a->cap ? 2 * a->cap : 1;
        a->v = realloc(a->v, (size_t)a->cap * sizeof *a->v);
    }
    a->v[a->n++] = x;
}

static int last_of(int n)
{
    int vla[n + 1], *room = alloca((size_t)n * sizeof *room);
    for (int i = 0; i <= n; i++)
        vla[i] = 2 * i + 1;
    memcpy(room, vla + 1, (size_t)n * sizeof *room);
    return room[n - 1];
}

int main(int argc, char **argv)
{
    struct vec a = {0, 0, NULL};
    int *zero = calloc(8, sizeof *zero), *grown;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 5; i++)
        push(&a, 3 + i * i);
    for (int i = 0; i < a.n; i++)
        shift(a.v[i] + zero[i], i, 1);
    grown = realloc(zero, 64 * sizeof *zero);
    memset(grown + 8, 1, 2 * sizeof *grown);
    shift(grown[7] + (grown[9] & 0xff) + 1, 9, 1);
    shift(last_of(6 + size), 10, 1);
    free(grown);
    free(a.v);
    printf("rank %d: %d %d\n", rank, a.n, a.cap);
    MPI_Finalize();
    return 0;
}
