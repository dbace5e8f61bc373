/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_blas_rows
 * about: what functions of BLAS and LAPACK write and return decides communication:
 * about: a product, a pivot, a sum, an error code
 * opaque: unseen_blas_bodies.c
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *, long, long);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
double ddot_(const int *, const double *, const int *, const double *, const int *);
void daxpy_(const int *, const double *, const double *, const int *, double *, const int *);
int idamax_(const int *, const double *, const int *);

static void barriers(double n)
{
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    double a[4] = {2, 0, 0, 1}, b[4] = {1, 2, 3, 1}, c[4] = {1, 1, 1, 1}, d[4] = {1, 1, 1, 1}, alpha = 1, beta = 0;
    int two = 2, one = 1, four = 4, pivots[2] = {5, 5}, info = 3;
    MPI_Init(&argc, &argv);
    beta = argc;
    dgemm_("N", "N", &two, &two, &two, &alpha, a, &two, b, &two, &beta, c, &two, 1, 1);
    barriers(c[2]);
    cblas_dgemm(102, 111, 111, 2, 2, 2, argc, c, 2, b, 2, 1.0, d, 2);
    barriers(d[3]);
    alpha = argc;
    daxpy_(&four, &alpha, c, &one, d, &one);
    barriers(idamax_(&four, d, &one));
    barriers(ddot_(&two, b, &one, c, &one) / 3);
    dgesv_(&two, &one, a, &two, pivots, b, &two, &info);
    barriers(pivots[1] + info);
    barriers(b[1]);
    printf("%g %g %g %d %g\n", c[2], d[3], b[1], info, alpha);
    MPI_Finalize();
    return 0;
}
