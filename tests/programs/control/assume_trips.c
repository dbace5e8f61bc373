/* commslice-test: assume_trips
 * about: a solver that iterates until it converges, entered twice; an assumption says how many iterations that takes
 * ranks: 2 3
 * assume: assume_trips.c:43=31
 * gone: relax
 * array: field 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static double *field;

static double relax(double *f, int sweep)
{
    double r = 0.0;
    for (int i = 0; i < N / 32; i++) {
        int k = i + sweep % 32 * (N / 32);
        f[k] += i % 3;
        r += f[k] * 1e-12;
    }
    return pow(0.5, sweep) + r * 1e-12;
}

int main(int argc, char **argv)
{
    int rank, size, sweeps = 0;
    double own, all = 0.0, before, eps = 1.5e-9;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field = calloc(N, sizeof *field);
    for (int solve = 0; solve < 2; solve++) {
        int sweep = 0;
        before = 4.0;
        all = 2.0;
        MPI_Barrier(MPI_COMM_WORLD);
        /* The change halves each time: 31 sweeps. */
        while (fabs(all - before) > eps && sweep < 1000) {
            before = all;
            own = relax(field, sweep);
            MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            sweep++;
        }
        sweeps += sweep;
    }
    printf("rank %d of %d: %d sweeps, %g\n", rank, size, sweeps, all);
    free(field);
    MPI_Finalize();
    return 0;
}
