/* commslice-test: qsort_peers
 * about: qsort with a callback that reads a global decides peers; bsearch decides a count; another qsort is dead
 * ranks: 2 3 4
 * most-ranks: 8
 * gone: shuffle by_value
 * array: values 32
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (4 * 1024 * 1024)
#define SORTED 200000

struct peer { int rank, load; };

static int direction = 1;

static int by_load(const void *a, const void *b)
{
    const struct peer *p = a, *q = b;
    int d = p->load != q->load ? p->load - q->load : p->rank - q->rank;
    return direction * d;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void shuffle(double *v, int n)
{
    unsigned s = 1;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        v[i] = (double)(s >> 8);
    }
}

int main(int argc, char **argv)
{
    int rank, size, total = 0;
    struct peer peers[8];
    double *values = malloc(N * sizeof *values), in[128];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    shuffle(values, N);
    qsort(values, SORTED, sizeof *values, by_value);
    for (int i = 0; i < size; i++)
        peers[i] = (struct peer){i, (i * 5 + rank * i) % 7};
    for (int round = 0; round < 2; round++) {
        direction = round ? -1 : 1;
        qsort(peers, size, sizeof peers[0], by_load);
        for (int i = 0; i < size; i++)
            MPI_Send(values + i, 3 + peers[i].load + round, MPI_DOUBLE, peers[i].rank, round, MPI_COMM_WORLD);
        for (int i = size - 1; i >= 0; i--)
            MPI_Recv(in, 128, MPI_DOUBLE, peers[i].rank, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    struct peer key = {(rank + 1) % size, ((rank + 1) % size * 5 + rank * ((rank + 1) % size)) % 7};
    struct peer *hit = bsearch(&key, peers, size, sizeof peers[0], by_load);
    if (hit) {
        total = 20 + (int)(hit - peers);
        MPI_Sendrecv(values, total, MPI_DOUBLE, hit->rank, 5, in, 128, MPI_DOUBLE, (rank + size - 1) % size, 5,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("rank %d: first %d total %d median %g\n", rank, peers[0].rank, total, values[SORTED / 2]);
    free(values);
    MPI_Finalize();
    return 0;
}
