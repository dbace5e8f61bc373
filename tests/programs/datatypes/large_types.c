/* commslice-test: large_types
 * about: constructors of datatypes with large counts, what they were made with, sizes, and packing: all decide counts
 * ranks: 2 3
 * gone: work
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define N 4096
#define TYPES 11

static double zone[N], few[N];

static void work(int part)
{
    for (int i = 0; i < N; i++)
        zone[i] = zone[i] * 0.5 + i % (part + 6);
}

static void make(MPI_Datatype t[TYPES])
{
    MPI_Count lengths[2] = {2, 3}, at[2] = {0, 8}, bytes[2] = {0, 64};
    MPI_Count size[2] = {6, 8}, sub[2] = {2, 3}, from[2] = {1, 2};
    MPI_Datatype members[2] = {MPI_DOUBLE, MPI_INT};
    int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int dargs[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, grid[2] = {2, 1};
    MPI_Type_contiguous_c(3, MPI_DOUBLE, &t[0]);
    MPI_Type_vector_c(3, 2, 4, MPI_DOUBLE, &t[1]);
    MPI_Type_create_hvector_c(3, 1, 40, MPI_DOUBLE, &t[2]);
    MPI_Type_indexed_c(2, lengths, at, MPI_DOUBLE, &t[3]);
    MPI_Type_create_hindexed_c(2, lengths, bytes, MPI_DOUBLE, &t[4]);
    MPI_Type_create_indexed_block_c(2, 2, at, MPI_DOUBLE, &t[5]);
    MPI_Type_create_hindexed_block_c(2, 3, bytes, MPI_DOUBLE, &t[6]);
    MPI_Type_create_struct_c(2, lengths, bytes, members, &t[7]);
    MPI_Type_create_subarray_c(2, size, sub, from, MPI_ORDER_C, MPI_DOUBLE, &t[8]);
    MPI_Type_create_darray_c(2, 1, 2, size, distribs, dargs, grid, MPI_ORDER_C, MPI_DOUBLE, &t[9]);
    MPI_Type_create_resized_c(t[1], 0, 128, &t[10]);
    for (int i = 0; i < TYPES; i++)
        MPI_Type_commit(&t[i]);
}

/* The sum of the numbers that a type was made with. */
static MPI_Count contents(MPI_Datatype t)
{
    MPI_Count nints, naddresses, nlarge, ntypes, large[16] = {0}, sum = 0;
    int combiner, ints[16] = {0};
    MPI_Aint addresses[16] = {0};
    MPI_Datatype types[2];
    MPI_Type_get_envelope_c(t, &nints, &naddresses, &nlarge, &ntypes, &combiner);
    MPI_Type_get_contents_c(t, 16, 16, 16, 2, ints, addresses, large, types);
    for (int i = 0; i < nlarge; i++)
        sum += large[i];
    return sum + 100 * (nints > 0 ? nints + ints[0] : 0) + 1000 * naddresses + 10000 * ntypes;
}

static MPI_Count sizes(MPI_Datatype t)
{
    MPI_Count size, lb, extent, true_lb, true_extent, packed, position = 0;
    static char room[N];
    MPI_Type_size_c(t, &size);
    MPI_Type_get_extent_c(t, &lb, &extent);
    MPI_Type_get_true_extent_c(t, &true_lb, &true_extent);
    MPI_Pack_size_c(2, t, MPI_COMM_WORLD, &packed);
    MPI_Pack_c(few, 1, t, room, N, &position, MPI_COMM_WORLD);
    MPI_Count end = position;
    position = 0;
    MPI_Unpack_c(room, N, &position, few, 1, t, MPI_COMM_WORLD);
    return size + lb + extent + true_lb + true_extent + packed + end + position;
}

/* The same outside of this machine. */
static MPI_Count external(int n)
{
    MPI_Count size, position = 0;
    static char room[N];
    MPI_Pack_external_size_c("external32", n, MPI_DOUBLE, &size);
    MPI_Pack_external_c("external32", few, n, MPI_DOUBLE, room, size, &position);
    MPI_Count end = position;
    position = 0;
    MPI_Unpack_external_c("external32", room, size, &position, few, n - 1, MPI_DOUBLE);
    return size + end + position;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype t[TYPES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(rank);
    make(t);
    MPI_Count outside = external(3);
    for (int i = 0; i < TYPES; i++) {
        MPI_Count n = contents(t[i]), bytes = sizes(t[i]);
        if (rank == 1) {
            MPI_Send_c(zone, 1 + (n + outside) % 7 + bytes % 5, t[i], 0, i, MPI_COMM_WORLD);
            printf("%d: %lld %lld\n", i, (long long)n, (long long)bytes);
        } else if (rank == 0) {
            MPI_Recv_c(zone, 12, t[i], 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    for (int i = 0; i < TYPES; i++)
        MPI_Type_free(&t[i]);
    MPI_Finalize();
    return 0;
}
