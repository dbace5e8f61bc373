/* commslice-test: content_any_source
 * about: nobody asks who sent what comes from any source, but its content decides; empty messages say who is next
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
    int in = 0, mine = rank * rank + 1;
    double x[64] = {0};
    for (int i = size - 1; i > 0; i--) {
        if (rank == 0) {
            MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(x, in, MPI_DOUBLE, size - 1, 3, MPI_COMM_WORLD);
        }
        if (rank == i) {
            MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&mine, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
        if (rank == size - 1)
            MPI_Recv(x, 64, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
