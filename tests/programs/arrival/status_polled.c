/* commslice-test: status_polled
 * about: ranks ask again and again by MPI_Request_get_status, which is no event, whether a message has come, after
 * about: which they find a count in a file, and one in shared memory
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int buffer[64];

/* Takes a while, also in the slice, where its result is needed. */
static int slow(unsigned n)
{
    for (int i = 0; i < 60000000; i++)
        n = n * 1664525 + 1013904223;
    return 3 + (n >> 28);
}

static void tell(int size)
{
    for (int i = 1; i < size; i++)
        MPI_Send(buffer, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
}

static void hear(void)
{
    int come = 0;
    MPI_Request r;
    MPI_Irecv(buffer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
    while (!come)
        MPI_Request_get_status(r, &come, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
}

int main(int argc, char **argv)
{
    int rank, size, unit, *mine, *shared, count = 0;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(rank == 0 ? 64 : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &shared);
    if (rank == 0) {
        shared[0] = 0;
        remove("status_polled.txt");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        int n = slow(6);
        FILE *f = fopen("status_polled.txt", "w");
        fprintf(f, "%d\n", n);
        fclose(f);
        tell(size);
    } else {
        hear();
    }
    FILE *f = fopen("status_polled.txt", "r");
    if (!f || fscanf(f, "%d", &count) != 1)
        count = 0;
    if (f)
        fclose(f);
    MPI_Allreduce(MPI_IN_PLACE, buffer, count + 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (rank == 0) {
        shared[0] = slow(5);
        MPI_Win_sync(win);
        tell(size);
    } else {
        hear();
        MPI_Win_sync(win);
        MPI_Send(buffer, shared[0], MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    for (int i = 1; i < size && rank == 0; i++)
        MPI_Recv(buffer, 64, MPI_INT, i, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    if (rank == 0)
        remove("status_polled.txt");
    MPI_Finalize();
    return 0;
}
