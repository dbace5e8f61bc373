/* commslice-test: large_numbers
 * about: numbers that no int holds: sizes, extents and contents of datatypes decide counts; three thousand million
 * about: elements without data are sent and broadcast
 * ranks: 2 3
 * gone: work
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define N 4096
#define MANY 3000000000

static double zone[N];
static int rank, size;

static void work(int part)
{
    for (int i = 0; i < N; i++)
        zone[i] = zone[i] * 0.5 + i % (part + 6);
}

/* The sum of what MPI tells of a type, which is freed. */
static MPI_Count told(MPI_Datatype t)
{
    MPI_Count bytes, lb, extent, nints, naddresses, nlarge, ntypes, large[4] = {0}, packed;
    MPI_Aint address;
    MPI_Datatype inner;
    int combiner, none;
    MPI_Type_size_c(t, &bytes);
    MPI_Type_get_extent_c(t, &lb, &extent);
    MPI_Type_get_envelope_c(t, &nints, &naddresses, &nlarge, &ntypes, &combiner);
    MPI_Type_get_contents_c(t, 1, 1, 4, 1, &none, &address, large, &inner);
    MPI_Type_commit(&t);
    MPI_Pack_size_c(2, t, MPI_COMM_WORLD, &packed);
    MPI_Type_free(&t);
    return bytes + lb + extent + packed + nlarge + large[0] + large[1] + large[2];
}

static MPI_Count types(void)
{
    MPI_Datatype t;
    MPI_Count sum = 0, lengths[1] = {MANY}, at[1] = {MANY + 3};
    MPI_Type_indexed_c(1, lengths, at, MPI_BYTE, &t);
    sum += told(t);
    MPI_Type_create_hindexed_c(1, lengths, at, MPI_INT, &t);
    sum += told(t);
    MPI_Type_create_indexed_block_c(1, 7, at, MPI_INT, &t);
    sum += told(t);
    MPI_Type_create_hindexed_block_c(1, MANY, at, MPI_INT, &t);
    sum += told(t);
    MPI_Type_contiguous_c(MANY, MPI_BYTE, &t);
    sum += told(t);
    MPI_Type_vector_c(2, 3, MANY, MPI_INT, &t);
    sum += told(t);
    MPI_Type_vector_c(1, MANY + 1, 1, MPI_DOUBLE, &t);
    sum += told(t);
    MPI_Type_create_hvector_c(3, 2, MANY * 5, MPI_INT, &t);
    sum += told(t);
    MPI_Type_create_resized_c(MPI_INT, 0, MANY + 8, &t);
    return sum + told(t);
}

/* Returns how much more the next message has. */
static MPI_Count nothing(void)
{
    MPI_Datatype empty;
    MPI_Request q[2];
    MPI_Status st[2];
    MPI_Count got = 1;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Type_contiguous_c(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    MPI_Irecv_c(zone, MANY, empty, before, 1, MPI_COMM_WORLD, &q[0]);
    MPI_Isend_c(zone, MANY + rank, empty, next, 1, MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, st);
    MPI_Get_count_c(&st[0], MPI_BYTE, &got);
    MPI_Bcast_c(zone, MANY, empty, 0, MPI_COMM_WORLD);
    MPI_Type_free(&empty);
    return got;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    work(rank);
    MPI_Count sum = types(), n = 2 + sum % 101 + nothing();
    if (rank == 0)
        MPI_Send_c(zone, n, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv_c(zone, n, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %lld %lld\n", rank, (long long)sum, (long long)n);
    MPI_Finalize();
    return 0;
}
