/* SPDX-License-Identifier: BSD-3-Clause
 * A million sends a rank in a tight loop. As a slice nothing is sent, so nobody has to receive. */
#include <mpi.h>

enum { SENDS = 1000000 };

int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < SENDS; i++)
        MPI_Send(&x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
