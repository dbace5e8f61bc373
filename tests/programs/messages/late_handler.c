/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: late_handler
 * about: a receive of which only the length matters is too short: its error goes to the handler of its time, which
 * about: returns, and not to the one that is set behind it
 * ranks: 2 3 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, n = 0;
    MPI_Status status;
    double data[10] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == size - 1) {
        MPI_Send(data, 8, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        MPI_Send(data, 3 + size, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Recv(data, 5, MPI_DOUBLE, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        MPI_Recv(data, 10, MPI_DOUBLE, size - 1, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &n);
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
