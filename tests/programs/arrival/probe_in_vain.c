/* commslice-test: probe_in_vain
 * about: MPI_Iprobe and MPI_Test are called to let MPI work, and find nothing: the message is sent when they are over
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[8] = {0};
    int flag;
    MPI_Request r;
    if (rank == 0) {
        MPI_Irecv(x, 8, MPI_DOUBLE, size - 1, 2, MPI_COMM_WORLD, &r);
        for (int i = 0; i < 3; i++) {
            MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) {
        MPI_Send(x, rank, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        MPI_Send(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Recv(x, 8, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
