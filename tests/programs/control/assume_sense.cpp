/* commslice-test: assume_sense
 * about: a condition asks whether the number that a truth value became is 0: the compiler turns it round, and the
 * about: assumption means what is written
 * ranks: 2 3
 * assume: assume_sense.cpp:28=never
 * gone: residual
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

static double field[4096];

extern "C" __attribute__((noinline)) int residual(int n)
{
    double r = 1;
    for (int i = 1; i < n; i++) field[i] = r += 0.5 * field[i - 1] + i % 3;
    return r > 3;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool first = rank == 0;
    for (int step = 0; step < 3; step++) {
        MPI_Barrier(MPI_COMM_WORLD);
        int large = residual(4096);
        if (((large != 0) || first) == 0)
            MPI_Allreduce(MPI_IN_PLACE, field, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Bcast(field, 20, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
