/* commslice-test: shared_by_stores
 * about: a neighbour's plain stores into shared memory decide counts; the branch that reads is not the one that stores
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int buffer[64];

int main(int argc, char **argv)
{
    int rank, size, unit, *mine, *first, count = 1;
    MPI_Aint bytes;
    MPI_Comm node;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    MPI_Win_allocate_shared(rank == 0 ? 64 : 0, sizeof(int), MPI_INFO_NULL, node, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (rank == 0) {
        MPI_Barrier(node);
        MPI_Win_sync(win);
        count = first[1] + (int)bytes / 64;
    } else {
        first[rank] = 3 * rank;
        MPI_Win_sync(win);
        MPI_Barrier(node);
    }
    MPI_Bcast(buffer, 4, MPI_INT, 0, node);
    if (rank == 0)
        MPI_Send(buffer, count, MPI_INT, size - 1, 5, node);
    if (rank == size - 1)
        MPI_Recv(buffer, 64, MPI_INT, 0, 5, node, MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, count);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
