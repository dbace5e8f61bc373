/* commslice-test: large_or_small
 * about: one collective by the call with large counts on some ranks and by the one with int counts on others; what the
 * about: root sends decides, and so do calls that were prepared
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

/* As many barriers as the root's number says. */
static void by_root(int rank)
{
    int turns = 0;
    if (rank == 0) {
        for (int i = 0; i < 9; i++)
            turns += i * i % 4;
        MPI_Bcast_c(&turns, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(&turns, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; i < turns; i++)
            MPI_Barrier(MPI_COMM_SELF);
    }
}

/* The root alone has large counts, of numbers of any size where they mean nothing. */
static int gathered(int rank, int size)
{
    int *all = calloc((size_t)size, sizeof *all), sum = 0, own = rank * 3;
    MPI_Count *counts = calloc((size_t)size, sizeof *counts);
    MPI_Aint *at = calloc((size_t)size, sizeof *at);
    for (int i = 0; i < size; i++) {
        counts[i] = 1;
        at[i] = size - 1 - i;
    }
    if (rank == 0)
        MPI_Gatherv_c(&own, 1, MPI_INT, all, counts, at, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gatherv(&own, 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    const MPI_Count huge = (MPI_Count)1 << 40;
    if (rank == 0)
        MPI_Gather_c(MPI_IN_PLACE, huge, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather_c(&own, 1, MPI_INT, NULL, -huge, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        sum += all[i];
    free(all);
    free(counts);
    free(at);
    return sum;
}

static void prepared(int rank, int turns)
{
    MPI_Request r;
    if (rank % 2)
        MPI_Bcast_init_c(&turns, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    else
        MPI_Bcast_init(&turns, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &r);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        for (int k = 0; k < turns % 5; k++)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Request_free(&r);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    by_root(rank);
    prepared(rank, gathered(rank, size) + 1);
    MPI_Finalize();
    return 0;
}
