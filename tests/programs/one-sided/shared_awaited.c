/* commslice-test: shared_awaited
 * about: ranks wait in loops for flags that others store in shared memory, after which they find counts there, in a
 * about: file, and a message that has come
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int buffer[64], *shared;

/* Takes a while, also in the slice, where its result is needed. */
static int slow(unsigned n)
{
    for (int i = 0; i < 30000000; i++)
        n = n * 1664525 + 1013904223;
    return 3 + (n >> 28);
}

static int peek(int flag)
{
    return *(volatile int *)&shared[flag];
}

static void await(int flag)
{
    while (!peek(flag))
        ;
}

int main(int argc, char **argv)
{
    int rank, size, unit, *mine, count = 0, come = 0;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int last = size - 1;
    MPI_Win_allocate_shared(rank == 0 ? 64 : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &shared);
    for (int i = 0; i < 8 && rank == 0; i++)
        shared[i] = 0;
    if (rank == 0)
        remove("shared_awaited.txt");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (rank == 0) {
        shared[1] = slow(5);
        __sync_synchronize();
        *(volatile int *)&shared[0] = 1;
    } else {
        while (!__atomic_load_n(&shared[0], __ATOMIC_ACQUIRE))
            ;
        MPI_Send(buffer, shared[1], MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    for (int i = 1; i < size && rank == 0; i++)
        MPI_Recv(buffer, 64, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        int n = slow(6);
        FILE *f = fopen("shared_awaited.txt", "w");
        fprintf(f, "%d\n", n);
        fclose(f);
        __atomic_store_n(&shared[2], 1, __ATOMIC_RELEASE);
    } else {
        await(2);
    }
    FILE *f = fopen("shared_awaited.txt", "r");
    if (!f || fscanf(f, "%d", &count) != 1)
        count = 0;
    if (f)
        fclose(f);
    MPI_Allreduce(MPI_IN_PLACE, buffer, count + 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == last) {
        MPI_Send(buffer, slow(7), MPI_INT, 0, 2, MPI_COMM_WORLD);
        __atomic_store_n(&shared[3], 1, __ATOMIC_RELEASE);
    }
    if (rank == 0) {
        await(3);
        for (int i = 0; i < 1000 && !come; i++)
            MPI_Iprobe(last, 2, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
        MPI_Send(buffer, come ? 20 : 10, MPI_INT, last, 3, MPI_COMM_WORLD);
        MPI_Recv(buffer, 64, MPI_INT, last, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == last)
        MPI_Recv(buffer, 64, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    if (rank == 0)
        remove("shared_awaited.txt");
    MPI_Finalize();
    return 0;
}
