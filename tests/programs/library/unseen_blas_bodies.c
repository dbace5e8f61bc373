/* SPDX-License-Identifier: BSD-3-Clause
 * A few functions of BLAS and LAPACK as a library that the slicer does not see has them; column by column, no strides
 * but 1, matrices not transposed. */
#include <math.h>

int idamax_(const int *n, const double *x, const int *incx)
{
    int best = 0;
    for (int i = 1; i < *n; i++)
        if (fabs(x[i * *incx]) > fabs(x[best * *incx]))
            best = i;
    return best + 1;
}

double ddot_(const int *n, const double *x, const int *incx, const double *y, const int *incy)
{
    double sum = 0.0;
    for (int i = 0; i < *n; i++)
        sum += x[i * *incx] * y[i * *incy];
    return sum;
}

void daxpy_(const int *n, const double *a, const double *x, const int *incx, double *y, const int *incy)
{
    for (int i = 0; i < *n; i++)
        y[i * *incy] += *a * x[i * *incx];
}

void cblas_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda,
                 const double *b, int ldb, double beta, double *c, int ldc)
{
    (void)order, (void)ta, (void)tb;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++)
                sum += a[i + l * lda] * b[l + j * ldb];
            c[i + j * ldc] = alpha * sum + beta * c[i + j * ldc];
        }
}

void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc, long la, long lb)
{
    (void)la, (void)lb;
    cblas_dgemm(102, *ta, *tb, *m, *n, *k, *alpha, a, *lda, b, *ldb, *beta, c, *ldc);
}

/* Without pivoting. */
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b, const int *ldb, int *info)
{
    *info = 0;
    for (int k = 0; k < *n; k++) {
        ipiv[k] = k + 1;
        for (int i = 0; i < *n; i++) {
            double f = i == k ? 0.0 : a[i + k * *lda] / a[k + k * *lda];
            for (int j = 0; j < *n; j++)
                a[i + j * *lda] -= f * a[k + j * *lda];
            for (int j = 0; j < *nrhs; j++)
                b[i + j * *ldb] -= f * b[k + j * *ldb];
        }
    }
    for (int k = 0; k < *n; k++)
        for (int j = 0; j < *nrhs; j++)
            b[k + j * *ldb] /= a[k + k * *lda];
}
