/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: blas_rows
 * about: functions of BLAS and LAPACK, of which bodies are not seen, compute what is sent, and decide nothing
 * opaque: unseen_blas_bodies.c
 * ranks: 2 3
 * gone: fill residual
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

#define N 8

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *, long, long);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
double ddot_(const int *, const double *, const int *, const double *, const int *);
void daxpy_(const int *, const double *, const double *, const int *, double *, const int *);

static double a[N * N], b[N * N], c[N * N];

static void fill(int rank)
{
    for (int i = 0; i < N * N; i++) {
        a[i] = 1.0 / (i + rank + 1) + (i % (N + 1) == 0 ? 3.0 : 0.0);
        b[i] = i % 5;
    }
}

static double residual(int n)
{
    const int one = 1;
    const double minus = -1.0;
    daxpy_(&n, &minus, c, &one, b, &one);
    return ddot_(&n, b, &one, b, &one);
}

int main(int argc, char **argv)
{
    int rank, size, info, pivots[N], steps = argc + 2;
    const int n = N, one = 1;
    const double alpha = 1.0, beta = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fill(rank);
    for (int i = 0; i < steps; i++) {
        dgemm_("N", "N", &n, &n, &n, &alpha, a, &n, b, &n, &beta, c, &n, 1, 1);
        cblas_dgemm(102, 111, 111, N, N, N, 0.5, a, N, c, N, 0.5, b, N);
        MPI_Sendrecv_replace(b, N, MPI_DOUBLE, (rank + 1) % size, i, (rank + size - 1) % size, i, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    dgesv_(&n, &one, a, &n, pivots, b, &n, &info);
    double r = residual(n);
    MPI_Allreduce(MPI_IN_PLACE, &r, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d: %.3g\n", rank, r);
    MPI_Finalize();
    return 0;
}
