/* commslice-test: work_by_counter
 * about: MPI_Fetch_and_op and MPI_Compare_and_swap on a counter hand out work; who gets which is known, as ranks
 * about: take turns
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int buffer[64];

int main(int argc, char **argv)
{
    int rank, size, *counter, one = 1, item = -1, swapped = -1, none = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &win);
    counter[0] = counter[1] = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int turn = 0; turn < 2 * size; turn++) {
        if (turn % size == rank) {
            MPI_Fetch_and_op(&one, &item, MPI_INT, 0, 0, MPI_SUM, win);
            MPI_Win_flush(0, win);
            MPI_Send(buffer, item + 1, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD);
        }
        if ((turn + 1) % size == rank)
            MPI_Recv(buffer, 64, MPI_INT, (rank + size - 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == size - 1)
        MPI_Compare_and_swap(&one, &none, &swapped, MPI_INT, 0, 1, win);
    MPI_Win_flush_all(win);
    MPI_Win_unlock_all(win);
    if (rank == size - 1 && swapped == 0)
        MPI_Send(buffer, 7, MPI_INT, 0, 3, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(buffer, 64, MPI_INT, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, item);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
