/* commslice-test: cg_solver
 * about: conjugate gradients on a row of blocks, in the shapes in which such a loop ends: by its residual and a count,
 * about: by a break, by one of two breaks. -DENDS=1..4 chooses for tests/commands/advise_test.sh
 * ranks: 1 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ENDS
#define ENDS 1
#endif
#define N 200

static double *x, *r, *p, *q;
static int rank, size;

static double dot(const double *a, const double *b)
{
    double mine = 0, all = 0;
    for (int i = 1; i <= N; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The points at both ends of the block come from the neighbours. */
static void exchange(double *v)
{
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(v + 1, 1, MPI_DOUBLE, left, 1, v + N + 1, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(v + N, 1, MPI_DOUBLE, right, 2, v, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void multiply(double *to, double *v)
{
    exchange(v);
    for (int i = 1; i <= N; i++)
        to[i] = 2.5 * v[i] - v[i - 1] - v[i + 1];
}

static double step(double rr)
{
    multiply(q, p);
    double a = rr / dot(p, q);
    for (int i = 1; i <= N; i++) {
        x[i] += a * p[i];
        r[i] -= a * q[i];
    }
    double next = dot(r, r), b = next / rr;
    for (int i = 1; i <= N; i++)
        p[i] = r[i] + b * p[i];
    return next;
}

static int solve(double eps, int max)
{
    double rr = dot(r, r);
    int it = 0;
#if ENDS == 1
    while (rr > eps && it < max) {
        rr = step(rr);
        it++;
    }
#elif ENDS == 2
    for (it = 0; it < max; it++) {
        if (rr < eps)
            break;
        rr = step(rr);
    }
#elif ENDS == 3
    for (it = 0; it < max; it++) {
        rr = step(rr);
        if (rr < eps)
            break;
        if (rr > 1e30)
            break;
    }
#else
    while (rr > eps) {
        rr = step(rr);
        it++;
    }
#endif
    return it;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    x = calloc(N + 2, sizeof *x);
    r = calloc(N + 2, sizeof *r);
    p = calloc(N + 2, sizeof *p);
    q = calloc(N + 2, sizeof *q);
    if (!x || !r || !p || !q)
        return 1;
    for (int i = 1; i <= N; i++)
        r[i] = p[i] = sin(0.1 * (rank * N + i));
    int it = solve(1e-8, 40);
    if (rank == 0)
        printf("%d iterations\n", it);
    MPI_Finalize();
    return 0;
}
