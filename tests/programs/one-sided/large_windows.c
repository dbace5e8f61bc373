/* commslice-test: large_windows
 * about: windows with large displacement units, and all calls that move data with large counts; what comes decides a
 * about: message
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int memory[16], buffer[256];

/* What comes of puts and gets of all kinds. */
static int moved(MPI_Win win, int rank, int right, int left)
{
    int value = 2 + rank, got = 0, before = 0;
    MPI_Request r[2];
    MPI_Win_fence(0, win);
    MPI_Put_c(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Accumulate_c(&value, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Get_c(&got, 1, MPI_INT, left, 1, 1, MPI_INT, win);
    MPI_Get_accumulate_c(&value, 1, MPI_INT, &before, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_fence(0, win);
    int sum = got + before;
    MPI_Win_lock_all(0, win);
    MPI_Rput_c(&value, 1, MPI_INT, right, 4, 1, MPI_INT, win, &r[0]);
    MPI_Raccumulate_c(&value, 1, MPI_INT, right, 5, 1, MPI_INT, MPI_MAX, win, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget_c(&got, 1, MPI_INT, left, 4, 1, MPI_INT, win, &r[0]);
    MPI_Rget_accumulate_c(&value, 1, MPI_INT, &before, 1, MPI_INT, rank, 5, 1, MPI_INT, MPI_NO_OP, win, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(win);
    return sum + got + before;
}

static int shared(int rank)
{
    int *own, *first;
    MPI_Aint size, unit;
    MPI_Win win;
    MPI_Win_allocate_shared_c(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    MPI_Win_shared_query_c(win, 0, &size, &unit, &first);
    MPI_Win_fence(0, win);
    own[0] = rank + 1;
    MPI_Win_fence(0, win);
    int there = first[0] + (int)(size / unit);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    return there;
}

int main(int argc, char **argv)
{
    int rank, size, *own;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Win_create_c(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    int n = moved(win, rank, right, left);
    MPI_Win_free(&win);
    MPI_Win_allocate_c(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 16; i++)
        own[i] = 1;
    MPI_Win_fence(0, win);
    n += moved(win, rank, right, left);
    MPI_Win_free(&win);
    n += shared(rank);
    MPI_Sendrecv_c(buffer, n, MPI_INT, right, 1, buffer + 128, 128, MPI_INT, left, 1, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    printf("%d: %d\n", rank, n);
    MPI_Finalize();
    return 0;
}
