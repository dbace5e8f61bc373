/* commslice-test: swap_buffers
 * about: pointers to buffers are swapped at each step: a live pair of count tables and a dead pair of grids
 * ranks: 2 3 4
 * gone: relax
 * array: grid 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (4 * 1024 * 1024)
#define LEN 6

static void relax(const double *from, double *to, int lo, int hi)
{
    for (int i = lo + 1; i < hi; i++)
        to[i] = 0.5 * (from[i] + from[i - 1]) + i % 4;
}

static void swap(void *a, void *b)
{
    void **x = a, **y = b, *t = *x;
    *x = *y;
    *y = t;
}

int main(int argc, char **argv)
{
    int rank, size, first[LEN], second[LEN], *now = first, *then = second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *grid[2] = {calloc(N, sizeof(double)), calloc(N, sizeof(double))}, *old = grid[0], *new = grid[1], in[256];
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < LEN; i++)
        now[i] = 2 + (rank + 1) * (i + 1) % 7;

    for (int s = 0; s < 8; s++) {
        MPI_Sendrecv(now, LEN, MPI_INT, right, 1, then, LEN, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < LEN; i++)
            then[i] = (then[i] * 3 + now[LEN - 1 - i]) % 50 + 1;
        int *t = now;
        now = then;
        then = t;
        relax(old, new, s * (N / 8), (s + 1) * (N / 8));
        MPI_Sendrecv(new, now[s % LEN], MPI_DOUBLE, left, 2, in, 256, MPI_DOUBLE, right, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        swap(&old, &new);
    }
    printf("rank %d: %d %d, %g\n", rank, now[0], now[5], old[N - 1] + new[N / 2]);
    free(grid[0]);
    free(grid[1]);
    MPI_Finalize();
    return 0;
}
