/* commslice-test: alloc_wrapper
 * about: all memory comes from one checked malloc, as in many programs: parameters and a plan that are live, arrays and
 * about: trees that are not
 * ranks: 2 3 4
 * gone: brew
 * array: tea 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static void *must_malloc(size_t n)
{
    void *p = malloc(n);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return p;
}

static double *reals(int n)
{
    return must_malloc(n * sizeof(double));
}

static int *numbers(int n)
{
    return must_malloc(n * sizeof(int));
}

static double brew(double *t, int n, int *marks)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        t[i] = i % 13;
        marks[i % 16] += (int)t[i];
        s += t[i];
    }
    return s;
}

struct plan { int steps, *count; double *weight; };

static struct plan *make_plan(int steps)
{
    struct plan *p = must_malloc(sizeof *p);
    p->steps = steps;
    p->count = numbers(steps);
    p->weight = reals(steps);
    for (int i = 0; i < steps; i++) {
        p->count[i] = 3 * i + 1;
        p->weight[i] = 0.5 * i;
    }
    return p;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct plan *plan = make_plan(5 + argc);
    double *tea = reals(N), *in = reals(64), s;
    int *marks = numbers(16);
    for (int i = 0; i < 16; i++)
        marks[i] = 0;
    s = brew(tea, N, marks);
    for (int i = 0; i < plan->steps; i++) {
        plan->weight[i] *= s + marks[i % 16];
        MPI_Sendrecv(tea, plan->count[i], MPI_DOUBLE, (rank + 1) % size, i, in, 64, MPI_DOUBLE,
            (rank + size - 1) % size, i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    printf("rank %d: %g %g %d\n", rank, s, plan->weight[1], marks[3]);
    free(tea);
    free(marks);
    MPI_Finalize();
    return 0;
}
