/* commslice-test: large_collectives
 * about: collectives with large counts, with one count, one a rank, one datatype a rank, and operations of the
 * about: program's own; their results are the counts of the next
 * ranks: 2 3 4
 * gone: work
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define N 4096

static double zone[N], halo[N];
static int rank, size;

static void work(int part)
{
    for (int i = 0; i < N; i++)
        zone[i] = zone[i] * 0.5 + i % (part + 6);
}

/* The sum, at most 9. */
static void add(void *in, void *inout, MPI_Count *n, MPI_Datatype *t)
{
    MPI_Count *a = in, *b = inout;
    for (MPI_Count i = 0; i < *n && *t == MPI_COUNT; i++)
        b[i] = a[i] + b[i] < 9 ? a[i] + b[i] : 9;
}

static MPI_Count reduced(MPI_Count n)
{
    MPI_Op op;
    MPI_Count sum = 0, before = 0, part = 0, most[4] = {0}, all[4] = {n, n + 1, 2, 3}, one[4] = {1, 1, 1, 1};
    MPI_Op_create_c(add, 1, &op);
    MPI_Allreduce_c(&n, &sum, 1, MPI_COUNT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Reduce_c(zone, halo, sum, MPI_DOUBLE, MPI_MAX, 1, MPI_COMM_WORLD);
    MPI_Scan_c(&n, &part, 1, MPI_COUNT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan_c(&n, &before, 1, MPI_COUNT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_c(all, most, one, MPI_COUNT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block_c(all, most + 1, 1, MPI_COUNT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_local_c(most, most + 1, 1, MPI_COUNT, MPI_SUM);
    if (rank == 1)
        MPI_Send_c(zone, part + before + most[1], MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    else if (rank == 0)
        MPI_Recv_c(halo, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return sum;
}

static void even(MPI_Count n)
{
    MPI_Bcast_c(&n, 1, MPI_COUNT, size - 1, MPI_COMM_WORLD);
    MPI_Gather_c(zone, n, MPI_DOUBLE, halo, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter_c(zone, n + 1, MPI_DOUBLE, halo, n + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgather_c(zone, n, MPI_DOUBLE, halo, n, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoall_c(zone, n, MPI_DOUBLE, halo, n, MPI_DOUBLE, MPI_COMM_WORLD);
}

/* Ranks tell each other what they send. */
static void uneven(void)
{
    MPI_Count counts[4], theirs[4], bytes[4];
    MPI_Aint at[4], bytes_at[4];
    MPI_Datatype types[4];
    for (int i = 0; i < size; i++)
        counts[i] = 1 + (rank + 2 * i) % 3;
    MPI_Alltoall_c(counts, 1, MPI_COUNT, theirs, 1, MPI_COUNT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++) {
        at[i] = 8 * i;
        bytes_at[i] = 64 * i;
        types[i] = i % 2 == rank % 2 ? MPI_DOUBLE : MPI_INT;
    }
    MPI_Alltoallv_c(zone, counts, at, MPI_DOUBLE, halo, theirs, at, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoallw_c(zone, counts, bytes_at, types, halo, theirs, bytes_at, types, MPI_COMM_WORLD);
    MPI_Count own = 2 + rank % 2;
    for (int i = 0; i < size; i++)
        bytes[i] = 2 + i % 2;
    MPI_Gatherv_c(zone, own, MPI_DOUBLE, halo, rank ? NULL : bytes, rank ? NULL : at, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatterv_c(zone, rank ? NULL : bytes, rank ? NULL : at, MPI_DOUBLE, halo, own, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allgatherv_c(zone, own, MPI_DOUBLE, halo, bytes, at, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgatherv_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, halo, bytes, at, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoallv_c(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, halo, bytes + rank % 2, at, MPI_DOUBLE, MPI_COMM_SELF);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    work(rank);
    MPI_Count n = reduced(1 + rank);
    even(n);
    uneven();
    printf("rank %d: %lld\n", rank, (long long)n);
    MPI_Finalize();
    return 0;
}
