/* commslice-test: go_waitany_rest
 * about: nobody asks which request MPI_Waitany has completed, but an MPI_Waitall of the others shows it
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
    double x[8] = {1};
    MPI_Request r[8];
    int which;
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&x[i], 1, MPI_DOUBLE, i, 3, MPI_COMM_WORLD, &r[i - 1]);
        for (int i = size - 1; i > 0; i--) {
            MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD);
            if (i == size - 1)
                MPI_Waitany(size - 1, r, &which, MPI_STATUS_IGNORE);
        }
        MPI_Waitall(size - 1, r, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
