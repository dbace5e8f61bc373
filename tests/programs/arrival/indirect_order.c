/* commslice-test: indirect_order
 * about: who may send to rank 0, which receives from any source, follows from a chain of messages among the others,
 * about: through functions and a communicator of their own
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static MPI_Comm others;

static void pass_on(int rank, int size)
{
    if (rank > 1)
        MPI_Send(NULL, 0, MPI_INT, rank - 2, 1, others);
    else
        MPI_Send(NULL, 0, MPI_INT, 0, 4, MPI_COMM_WORLD);
    (void)size;
}

static void wait_for_turn(int rank, int size)
{
    if (rank < size - 1)
        MPI_Recv(NULL, 0, MPI_INT, rank, 1, others, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[64] = {0};
    int sum = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &others);
    for (int i = 1; i < size && rank == 0; i++) {
        MPI_Status st;
        MPI_Recv(x, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &st);
        sum = sum * 2 + st.MPI_SOURCE;
        MPI_Send(NULL, 0, MPI_INT, st.MPI_SOURCE, 3, MPI_COMM_WORLD);
    }
    if (rank > 0) {
        wait_for_turn(rank, size);
        MPI_Send(x, rank, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pass_on(rank, size);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        MPI_Send(x, sum % 50, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(x, 64, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&others);
    MPI_Finalize();
    return 0;
}
