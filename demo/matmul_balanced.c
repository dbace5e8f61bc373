/* SPDX-License-Identifier: BSD-3-Clause
 * A demo: the product of two square matrices, as in matmul.c, with rows handed out by libcommslice-balance instead of
 * blocks of rows. Rank r does each row SLOWNESS[r] times, as if its machine were so much slower.
 * usage: matmul_balanced SIZE [TECHNIQUE [SLOWNESS...]] */
#include <commslice-balance.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The matrices, and how often this rank does a row. */
struct product {
    int n, slowness;
    double *a, *b, *c;
};

static double *matrix(int n)
{
    return calloc((size_t)n * (size_t)n + 1, sizeof(double));
}

static void fill(double *a, int n, int seed)
{
    for (int i = 0; i < n * n; i++)
        a[i] = (double)((i * 7 + seed) % 101) / 101;
}

static void multiply_row(const double *a, const double *b, double *c, int n)
{
    for (int j = 0; j < n; j++)
        c[j] = 0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            c[j] += a[k] * b[k * n + j];
}

/* Rows that this rank got. */
static void multiply_rows(int64_t first, int64_t count, void *state)
{
    const struct product *p = state;
    for (int64_t i = first; i < first + count; i++)
        for (int again = 0; again < p->slowness; again++)
            multiply_row(p->a + i * p->n, p->b, p->c + i * p->n, p->n);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct product p = {.n = argc > 1 ? atoi(argv[1]) : 256, .slowness = argc > 3 + rank ? atoi(argv[3 + rank]) : 1};
    p.a = matrix(p.n);
    p.b = matrix(p.n);
    p.c = matrix(p.n);
    fill(p.a, p.n, 1);
    fill(p.b, p.n, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    if (cs_balance_for(p.n, multiply_rows, &p, MPI_COMM_WORLD, argc > 2 ? argv[2] : NULL))
        MPI_Abort(MPI_COMM_WORLD, 2);
    /* A row is 0 wherever it was not done. */
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : p.c, p.c, p.n * p.n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("last element %.6f, %.3f s\n", p.c[p.n * p.n - 1], MPI_Wtime() - began);
    MPI_Finalize();
    return 0;
}
