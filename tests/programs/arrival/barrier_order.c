/* commslice-test: barrier_order
 * about: ranks send to rank 0 in turn, with a barrier after each turn; rank 0 receives from any source
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double data[32] = {0};
    for (int turn = size - 1; turn > 0; turn--) {
        if (rank == turn)
            MPI_Send(data, turn, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Status st;
            MPI_Recv(data, 32, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &st);
            MPI_Send(data, 2 * st.MPI_SOURCE, MPI_DOUBLE, size - 1, 5, MPI_COMM_WORLD);
        }
        if (rank == size - 1)
            MPI_Recv(data, 32, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
