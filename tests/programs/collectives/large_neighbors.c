/* commslice-test: large_neighbors
 * about: neighbourhood collectives with large counts on a ring, blocking, nonblocking and persistent; neighbours tell
 * about: each other how much they send
 * ranks: 3 4
 * gone: work
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define N 1024

static double zone[N], halo[N];
static const MPI_Aint at[2] = {0, 64}, bytes_at[2] = {0, 512};
static MPI_Count mine[2], theirs[2];

static void work(int part)
{
    for (int i = 0; i < N; i++)
        zone[i] = zone[i] * 0.5 + i % (part + 6);
}

static void start(MPI_Request *q)
{
    MPI_Start(q);
    MPI_Wait(q, MPI_STATUS_IGNORE);
    MPI_Request_free(q);
}

static void blocking(MPI_Comm ring)
{
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Count own = mine[0] + 1, of[2];
    MPI_Neighbor_alltoall_c(mine, 1, MPI_COUNT, theirs, 1, MPI_COUNT, ring);
    MPI_Neighbor_alltoallv_c(zone, mine, at, MPI_DOUBLE, halo, theirs, at, MPI_DOUBLE, ring);
    MPI_Neighbor_alltoallw_c(zone, mine, bytes_at, types, halo, theirs, bytes_at, types, ring);
    MPI_Neighbor_allgather_c(&own, 1, MPI_COUNT, of, 1, MPI_COUNT, ring);
    MPI_Neighbor_allgatherv_c(zone, own, MPI_DOUBLE, halo, of, at, MPI_DOUBLE, ring);
}

static void started(MPI_Comm ring, const MPI_Count sent[], const MPI_Count received[])
{
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Request q[3];
    MPI_Count own = sent[0], of[2];
    MPI_Ineighbor_alltoallv_c(zone, sent, at, MPI_DOUBLE, halo, received, at, MPI_DOUBLE, ring, &q[0]);
    MPI_Ineighbor_alltoallw_c(zone, sent, bytes_at, types, halo + 256, received, bytes_at, types, ring, &q[1]);
    MPI_Ineighbor_allgather_c(&own, 1, MPI_COUNT, of, 1, MPI_COUNT, ring, &q[2]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    MPI_Ineighbor_allgatherv_c(zone, own, MPI_DOUBLE, halo, of, at, MPI_DOUBLE, ring, &q[0]);
    MPI_Ineighbor_alltoall_c(zone, 3, MPI_DOUBLE, halo + 256, 3, MPI_DOUBLE, ring, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

static void persistent(MPI_Comm ring)
{
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Count own = mine[0], of[2] = {0};
    MPI_Request q;
    MPI_Neighbor_allgather_init_c(&own, 1, MPI_COUNT, of, 1, MPI_COUNT, ring, MPI_INFO_NULL, &q);
    start(&q);
    MPI_Neighbor_allgatherv_init_c(zone, own, MPI_DOUBLE, halo, of, at, MPI_DOUBLE, ring, MPI_INFO_NULL, &q);
    start(&q);
    MPI_Neighbor_alltoall_init_c(zone, 5, MPI_DOUBLE, halo, 5, MPI_DOUBLE, ring, MPI_INFO_NULL, &q);
    start(&q);
    MPI_Neighbor_alltoallv_init_c(zone, mine, at, MPI_DOUBLE, halo, theirs, at, MPI_DOUBLE, ring, MPI_INFO_NULL, &q);
    start(&q);
    MPI_Neighbor_alltoallw_init_c(zone, mine, bytes_at, types, halo, theirs, bytes_at, types, ring, MPI_INFO_NULL, &q);
    start(&q);
}

int main(int argc, char **argv)
{
    int rank, size, periodic = 1;
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    work(rank);
    mine[0] = 1 + rank;
    mine[1] = 2 + rank;
    blocking(ring);
    started(ring, mine, theirs);
    persistent(ring);
    printf("rank %d: %lld %lld\n", rank, (long long)theirs[0], (long long)theirs[1]);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
