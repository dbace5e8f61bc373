/* commslice-test: requests_of_windows
 * about: MPI_Rput, MPI_Rget, MPI_Raccumulate and MPI_Rget_accumulate, of which one brings a count; a dynamic window;
 * about: the base of a window from its attribute
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int memory[4], attached[4], buffer[64];

int main(int argc, char **argv)
{
    int rank, size, value, got = 0, before = 0, flag, *base;
    MPI_Win win, dynamic;
    MPI_Request r[2];
    MPI_Aint own, theirs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    value = 4 + rank;
    MPI_Win_lock_all(0, win);
    MPI_Rput(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win, &r[0]);
    MPI_Raccumulate(&value, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_SUM, win, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rget(&got, 1, MPI_INT, left, 1, 1, MPI_INT, win, &r[0]);
    MPI_Rget_accumulate(&value, 1, MPI_INT, &before, 1, MPI_INT, rank, 2, 1, MPI_INT, MPI_REPLACE, win, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Sendrecv(buffer, got + base[0], MPI_INT, right, 1, buffer + 32, 32, MPI_INT, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
    MPI_Win_attach(dynamic, attached, sizeof attached);
    MPI_Get_address(attached, &own);
    MPI_Sendrecv(&own, 1, MPI_AINT, left, 2, &theirs, 1, MPI_AINT, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = 2 + rank;
    MPI_Win_fence(0, dynamic);
    MPI_Put(&value, 1, MPI_INT, right, MPI_Aint_add(theirs, 2 * sizeof(int)), 1, MPI_INT, dynamic);
    MPI_Win_fence(0, dynamic);
    MPI_Sendrecv(buffer, attached[2], MPI_INT, right, 3, buffer + 32, 32, MPI_INT, left, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_detach(dynamic, attached);
    printf("%d: %d %d %d\n", rank, got, before, attached[2]);
    MPI_Win_free(&dynamic);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
