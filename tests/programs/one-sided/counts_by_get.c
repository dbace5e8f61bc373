/* commslice-test: counts_by_get
 * about: how much each rank sends comes from another rank's window: by MPI_Get, by MPI_Put into an array that is
 * about: also an ordinary one, by a sum of MPI_Accumulate
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int table[8], plain[4], buffer[64];

static void send(int count, int rank, int size)
{
    MPI_Sendrecv(buffer, count, MPI_INT, (rank + 1) % size, 1, buffer + 32, 32, MPI_INT, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, got = -1, one;
    MPI_Win win, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(table, sizeof table, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(plain, sizeof plain, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    for (int i = 0; i < 8; i++)
        table[i] = 2 * rank + i;
    MPI_Win_fence(0, win);
    MPI_Get(&got, 1, MPI_INT, (rank + 1) % size, 3, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    send(got, rank, size);
    plain[1] = 30; /* the put comes after it, though it stands in another rank's call */
    one = 5 + rank;
    MPI_Win_fence(0, other);
    MPI_Put(&one, 1, MPI_INT, (rank + 1) % size, sizeof(int), 1, MPI_INT, other);
    MPI_Win_fence(0, other);
    send(plain[1], rank, size);
    one = 1;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 7, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD); /* without it rank 0 would look too early */
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get(&got, 1, MPI_INT, 0, 7, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    send(got, rank, size);
    printf("%d: %d %d\n", rank, got, plain[1]);
    MPI_Win_free(&win);
    MPI_Win_free(&other);
    MPI_Finalize();
    return 0;
}
