/* commslice-test: assume_exit
 * about: a loop with an early exit on a computed residual that never comes; an assumption cuts there
 * ranks: 2 3
 * assume: assume_exit.c:49=never
 * gone: residual
 * array: field 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#define N (8 * 1024 * 1024)

static double *field;

static double residual(double *f, int from, int to)
{
    double r = 0.0;
    for (int i = from + 1; i < to; i++) {
        f[i] = 0.5 * f[i - 1] + i % 3;
        r += f[i];
    }
    return r;
}

int main(int argc, char **argv)
{
    double r = 1.0, all = 1.0;
    int step;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field = calloc(N, sizeof *field);
    for (step = 0; step < 8; step++) {
        shift(10 + step, 1, 1);
        r = residual(field, step * (N / 8), (step + 1) * (N / 8));
        MPI_Allreduce(&r, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (all < 1e-6)
            break;
    }
    shift(step, 2, 1);
    printf("rank %d: %d steps, %g\n", rank, step, all);
    free(field);
    MPI_Finalize();
    return 0;
}
