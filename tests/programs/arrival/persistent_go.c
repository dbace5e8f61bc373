/* commslice-test: persistent_go
 * about: the "go" of a manager is a persistent request that is started again and again, and so is the answer
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[8] = {0};
    MPI_Request go[8], r[8];
    int which;
    for (int i = 1; i < size && rank == 0; i++) {
        MPI_Send_init(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD, &go[i - 1]);
        MPI_Recv_init(&x[i], 1, MPI_DOUBLE, i, 3, MPI_COMM_WORLD, &r[i - 1]);
    }
    if (rank > 0) {
        MPI_Recv_init(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, &go[0]);
        MPI_Send_init(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &r[0]);
    }
    for (int round = 0; round < 2; round++) {
        if (rank == 0)
            MPI_Startall(size - 1, r);
        for (int i = size - 1; i > 0 && rank == 0; i--) {
            MPI_Start(&go[i - 1]);
            MPI_Wait(&go[i - 1], MPI_STATUS_IGNORE);
            MPI_Waitany(size - 1, r, &which, MPI_STATUS_IGNORE);
            MPI_Send(x, which + round, MPI_DOUBLE, which + 1, 9, MPI_COMM_WORLD);
        }
        if (rank > 0) {
            MPI_Start(&go[0]);
            MPI_Wait(&go[0], MPI_STATUS_IGNORE);
            MPI_Start(&r[0]);
            MPI_Wait(&r[0], MPI_STATUS_IGNORE);
            MPI_Recv(x, 8, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    for (int i = rank == 0 ? 1 : size - 1; i < size; i++) {
        MPI_Request_free(&go[rank == 0 ? i - 1 : 0]);
        MPI_Request_free(&r[rank == 0 ? i - 1 : 0]);
    }
    MPI_Finalize();
    return 0;
}
