/* commslice-test: nbx_partners
 * about: NBX whose partners are what a rank has received in the round before: a walk through the ranks
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#define TAG 7

/* Receives at most one number while the barrier is not complete. -1: none. */
static int take_until(MPI_Request *barrier, int tag)
{
    int in = -1, done = 0, there;
    while (!done) {
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (there)
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Test(barrier, &done, MPI_STATUS_IGNORE);
    }
    return in;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int turn = rank == 0 ? 5 : -1;
    for (int round = 0; round < 8; round++) {
        MPI_Request barrier;
        if (turn >= 0) {
            int next = turn * 3 + 1;
            MPI_Ssend(&next, 1, MPI_INT, (rank + 1 + turn % (size - 1)) % size, TAG + round % 2, MPI_COMM_WORLD);
        }
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        turn = take_until(&barrier, TAG + round % 2);
    }
    MPI_Finalize();
    return 0;
}
