/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: buffer_turns
 * about: a buffer for MPI_Bsend is attached and detached in each turn; buffered messages put other ranks' messages
 * about: in order
 * ranks: 2 3 4
 */
#include <mpi.h>

static char space[1000];

/* Rank `turn` tells all that it has written to rank 0. */
static void tell(int turn, int rank, int size)
{
    int word = 0, bytes;
    void *given_back;
    MPI_Buffer_attach(space, sizeof space);
    for (int r = 0; r < size && rank == turn; r++)
        if (r != turn)
            MPI_Bsend(&word, 1, MPI_INT, r, 30, MPI_COMM_WORLD);
    if (rank != turn)
        MPI_Recv(&word, 1, MPI_INT, turn, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&given_back, &bytes);
}

int main(int argc, char **argv)
{
    int rank, size, first;
    double out[8] = {0.0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = size - 1; turn > 0; turn--) {
        if (rank == turn)
            MPI_Send(&rank, 1, MPI_INT, 0, 20, MPI_COMM_WORLD);
        tell(turn, rank, size);
        if (rank == 0)
            MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(out, first, MPI_DOUBLE, first, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
