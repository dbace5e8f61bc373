/* commslice-test: error_pointers
 * about: pointers to functions that only end the run in an error are no reason
 * about: to keep what decides whether they are called
 * ranks: 2 3 4
 * gone: scorch
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void give_up(void)
{
    fputs("the sum is wrong\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 3);
}

static void (*fail)(void) = abort;
static void (*fail_late)(void) = give_up;

static double scorch(double *x, int n)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        x[i] = 0.3 * (x[i - 1] + x[i] + x[i + 1]);
        sum += x[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    double x[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 5)
        fail = give_up;
    for (int i = 0; i < 100; i++)
        x[i] = i * 0.5 + rank;
    for (int step = 0; step < 6; step++) {
        double sum = scorch(x, 100);
        if (sum < 0)
            fail();
        if (sum > 1e300)
            fail_late();
        MPI_Sendrecv(&x[98], 1, MPI_DOUBLE, (rank + 1) % size, 1, &x[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("%.3f\n", x[50]);
    MPI_Finalize();
    return 0;
}
