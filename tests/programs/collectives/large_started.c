/* commslice-test: large_started
 * about: nonblocking and persistent collectives with large counts; those that exchange counts decide the others
 * ranks: 2 3 4
 * gone: work
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define N 4096

static double zone[N], halo[N];
static int rank, size;
static MPI_Count own, counts[4], theirs[4];
static MPI_Aint at[4], bytes_at[4];
static MPI_Datatype types[4];

static void work(int part)
{
    for (int i = 0; i < N; i++)
        zone[i] = zone[i] * 0.5 + i % (part + 6);
}

static MPI_Count nonblocking(MPI_Count n)
{
    MPI_Request q[15];
    MPI_Count sum = 0, told = n;
    MPI_Iallreduce_c(&n, &sum, 1, MPI_COUNT, MPI_SUM, MPI_COMM_WORLD, &q[0]);
    MPI_Ialltoall_c(counts, 1, MPI_COUNT, theirs, 1, MPI_COUNT, MPI_COMM_WORLD, &q[1]);
    MPI_Ibcast_c(&told, 1, MPI_COUNT, 0, MPI_COMM_WORLD, &q[2]);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    MPI_Igather_c(zone, told, MPI_DOUBLE, halo, told, MPI_DOUBLE, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Iscatter_c(zone, told, MPI_DOUBLE, halo + 1000, told, MPI_DOUBLE, 0, MPI_COMM_WORLD, &q[1]);
    MPI_Iallgather_c(zone, sum, MPI_DOUBLE, halo + 1100, sum, MPI_DOUBLE, MPI_COMM_WORLD, &q[2]);
    MPI_Igatherv_c(zone, own, MPI_DOUBLE, halo + 1200, counts, at, MPI_DOUBLE, 0, MPI_COMM_SELF, &q[3]);
    MPI_Iscatterv_c(zone, counts, at, MPI_DOUBLE, halo + 1300, own, MPI_DOUBLE, 0, MPI_COMM_SELF, &q[4]);
    MPI_Ialltoallv_c(zone, counts, at, MPI_DOUBLE, halo + 1400, theirs, at, MPI_DOUBLE, MPI_COMM_WORLD, &q[5]);
    MPI_Ialltoallw_c(zone, counts, bytes_at, types, halo + 1500, theirs, bytes_at, types, MPI_COMM_WORLD, &q[6]);
    MPI_Ireduce_c(zone, halo + 1600, sum, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD, &q[7]);
    MPI_Ireduce_scatter_c(zone, halo + 1700, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF, &q[8]);
    MPI_Ireduce_scatter_block_c(zone, halo + 1800, sum, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &q[9]);
    MPI_Iscan_c(zone, halo + 1900, sum, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &q[10]);
    MPI_Iexscan_c(zone, halo + 2000, sum, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &q[11]);
    MPI_Waitall(12, q, MPI_STATUSES_IGNORE);
    return sum;
}

static void allgathered(MPI_Count n)
{
    MPI_Request q;
    MPI_Count lengths[4], mine = 1 + n % (rank + 2);
    MPI_Iallgather_c(&mine, 1, MPI_COUNT, lengths, 1, MPI_COUNT, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Iallgatherv_c(zone, mine, MPI_DOUBLE, halo, lengths, at, MPI_DOUBLE, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Allgatherv_init_c(zone, mine, MPI_DOUBLE, halo, lengths, at, MPI_DOUBLE, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
    MPI_Start(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Request_free(&q);
}

/* What the exchange of lengths says is read when it is started. */
static void persistent(MPI_Count n)
{
    MPI_Request tell, q[7];
    MPI_Count sum = 0;
    MPI_Alltoall_init_c(counts, 1, MPI_COUNT, theirs, 1, MPI_COUNT, MPI_COMM_WORLD, MPI_INFO_NULL, &tell);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < size; i++)
            counts[i] = (rank + i + turn) % 3;
        MPI_Start(&tell);
        MPI_Wait(&tell, MPI_STATUS_IGNORE);
        MPI_Alltoallv_init_c(zone, counts, at, MPI_DOUBLE, halo, theirs, at, MPI_DOUBLE, MPI_COMM_WORLD, MPI_INFO_NULL,
                             &q[0]);
        MPI_Alltoallw_init_c(zone, counts, bytes_at, types, halo + 100, theirs, bytes_at, types, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &q[1]);
        MPI_Bcast_init_c(zone + 1000, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q[2]);
        MPI_Reduce_init_c(zone, halo + 200, n, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q[3]);
        MPI_Scan_init_c(zone, halo + 300, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q[4]);
        MPI_Exscan_init_c(zone, halo + 400, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q[5]);
        MPI_Allreduce_init_c(&n, &sum, 1, MPI_COUNT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &q[6]);
        MPI_Startall(7, q);
        MPI_Waitall(7, q, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 7; i++)
            MPI_Request_free(&q[i]);
        n = sum + 1;
    }
    MPI_Request_free(&tell);
}

static void in_order(MPI_Count n)
{
    MPI_Request q[5];
    MPI_Gather_init_c(zone, n, MPI_DOUBLE, halo, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
    MPI_Gatherv_init_c(zone, own, MPI_DOUBLE, halo + 100, &own, at, MPI_DOUBLE, 0, MPI_COMM_SELF, MPI_INFO_NULL, &q[1]);
    MPI_Scatterv_init_c(zone, &own, at, MPI_DOUBLE, halo + 200, own, MPI_DOUBLE, 0, MPI_COMM_SELF, MPI_INFO_NULL,
                        &q[2]);
    MPI_Reduce_scatter_init_c(zone, halo + 300, &own, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &q[3]);
    MPI_Reduce_scatter_block_init_c(zone, halo + 400, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &q[4]);
    for (int i = 0; i < 5; i++) {
        MPI_Start(&q[i]);
        MPI_Wait(&q[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&q[i]);
    }
    MPI_Allgather_init_c(zone, n, MPI_DOUBLE, halo, n, MPI_DOUBLE, MPI_COMM_WORLD, MPI_INFO_NULL, &q[0]);
    MPI_Scatter_init_c(zone, n, MPI_DOUBLE, halo, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&q[i]);
        MPI_Wait(&q[i], MPI_STATUS_IGNORE);
        MPI_Request_free(&q[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    work(rank);
    own = 2;
    for (int i = 0; i < size; i++) {
        counts[i] = i ? 1 + (rank + i) % 3 : own;
        at[i] = 8 * i;
        bytes_at[i] = 64 * i;
        types[i] = MPI_DOUBLE;
    }
    MPI_Count n = nonblocking(1 + rank);
    allgathered(n);
    persistent(n);
    in_order(n);
    printf("rank %d: %lld\n", rank, (long long)n);
    MPI_Finalize();
    return 0;
}
