/* commslice-test: trap_persistent_start
 * about: what a persistent collective hands in is what is there when it is started, not when it was prepared; and each
 * about: rank starts at a place of its own
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int own, most, all[4];

static void even(MPI_Request *q)
{
    own = 5;
    MPI_Start(q);
    MPI_Wait(q, MPI_STATUS_IGNORE);
}

static void odd(MPI_Request *q)
{
    own = 2;
    MPI_Start(q);
    MPI_Wait(q, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, x[8] = {0};
    MPI_Request q[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = 1;
    MPI_Allreduce_init(&own, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
    MPI_Allgather_init(&own, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
    if (rank % 2)
        odd(&q[0]);
    else
        even(&q[0]);
    MPI_Bcast(x, most, MPI_INT, 0, MPI_COMM_WORLD);
    own = rank + 1;
    MPI_Start(&q[1]);
    MPI_Wait(&q[1], MPI_STATUS_IGNORE);
    MPI_Bcast(x, all[size - 1], MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
    printf("rank %d: %d %d\n", rank, most, all[size - 1]);
    MPI_Finalize();
    return 0;
}
