/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_errors_return
 * about: calls fail, and nobody asks for their codes, as the program lets them return: a grid with too many places
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

static double field[4096], got[4096];

static void heat(void)
{
    field[100] = 1;
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < 4095; i++) field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

int main(int argc, char **argv)
{
    int rank, ranks, dims[2], periods[2] = { 0, 0 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    heat();
    dims[0] = ranks;
    for (int width = 1; width <= 2; width++) {
        dims[1] = width;
        MPI_Comm grid = MPI_COMM_NULL;
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
        MPI_Allreduce(field, got, 5 + (grid == MPI_COMM_NULL), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%g\n", got[0]);
    MPI_Finalize();
    return 0;
}
