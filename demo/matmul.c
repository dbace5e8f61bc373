/* SPDX-License-Identifier: BSD-3-Clause
 * A demo: the product of two square matrices. Rank 0 has both and sends all of one and blocks of rows of the other;
 * each rank multiplies its rows, and rank 0 collects them. usage: matmul SIZE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int me, ranks;

static double *matrix(int rows, int cols)
{
    return calloc((size_t)rows * (size_t)cols + 1, sizeof(double));
}

static void fill(double *a, int n, int seed)
{
    for (int i = 0; i < n * n; i++)
        a[i] = (double)((i * 7 + seed) % 101) / 101;
}

static void multiply(const double *a, const double *b, double *c, int rows, int n)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++) {
            double f = a[i * n + k];
            for (int j = 0; j < n; j++)
                c[i * n + j] += f * b[k * n + j];
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int n = argc > 1 ? atoi(argv[1]) : 256;
    int *count = calloc((size_t)ranks, sizeof *count), *start = calloc((size_t)ranks, sizeof *start);
    for (int r = 0, at = 0; r < ranks; at += count[r++]) {
        count[r] = n * (n / ranks + (r < n % ranks));
        start[r] = at;
    }
    int rows = count[me] / n;
    double *all = me == 0 ? matrix(n, n) : NULL, *result = me == 0 ? matrix(n, n) : NULL;
    double *a = matrix(rows, n), *b = matrix(n, n), *c = matrix(rows, n);
    if (me == 0) {
        fill(all, n, 1);
        fill(b, n, 2);
    }
    MPI_Bcast(b, n * n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, count, start, MPI_DOUBLE, a, count[me], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    multiply(a, b, c, rows, n);
    MPI_Gatherv(c, count[me], MPI_DOUBLE, result, count, start, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("last element %.6f\n", result[n * n - 1]);
    MPI_Finalize();
    return 0;
}
