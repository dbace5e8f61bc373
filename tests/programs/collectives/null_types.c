/* commslice-test: null_types
 * about: MPI_DATATYPE_NULL where a rank's own part counts for nothing, and operations that differ from one half of the
 * about: ranks to the other
 * ranks: 2 3 4
 * most-ranks: 8
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, out[8] = {0}, in[8], sum = 0;
    int counts[8] = {0}, at[8] = {0}, from[8] = {0};
    MPI_Datatype types[8];
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* The root's own part is in place already: neither count nor type of it matters. */
    if (rank == 0)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&rank, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Scatter(in, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, 0, MPI_COMM_WORLD);
    /* All have something for rank 0 alone. */
    for (int i = 0; i < size; i++) {
        types[i] = i && rank ? MPI_DATATYPE_NULL : MPI_INT;
        counts[i] = i == 0;
        from[i] = rank == 0;
        at[i] = i * (int)sizeof(int);
    }
    MPI_Alltoallw(out, counts, at, types, in, from, at, types, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    for (int i = 0; i < 5; i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, rank % 2 ? MPI_MAX : MPI_SUM, half);
    MPI_Comm_free(&half);
    if (rank == 0)
        printf("%d\n", sum);
    return MPI_Finalize();
}
