/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: cancel_order
 * about: a receive is cancelled when a later message shows that its own has come: what MPI_Test_cancelled says is the
 * about: same in each run, as long as that message comes
 * ranks: 2 3 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, first = 0, second = 0, cancelled = 1;
    double data[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        MPI_Request request;
        MPI_Status status;
        MPI_Irecv(&first, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(&second, 1, MPI_INT, size - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        MPI_Send(data, cancelled ? 3 : 5, MPI_DOUBLE, size - 1, 3, MPI_COMM_WORLD);
    }
    if (rank == size - 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(data, 8, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
