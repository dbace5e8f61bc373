/* commslice-test: trap_rooted
 * about: Gather, Scatterv and Reduce: only the root holds what decides, and tells it back by messages
 * ranks: 2 3 4
 * most-ranks: 8
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int mine, all[8] = {0}, counts[8] = {0}, displ[8] = {0}, root, share = 0, part[64] = {0}, data[256], top = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    root = size - 1;
    mine = 3 + rank * rank;
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
    if (rank == root) {
        for (int i = 0; i < size; i++)
            counts[i] = all[(i + 1) % size] + i;
        for (int i = 1; i < size; i++)
            displ[i] = displ[i - 1] + counts[i - 1];
        for (int i = 0; i < 256; i++)
            data[i] = i % 12 + 1;
    }
    MPI_Scatter(counts, 1, MPI_INT, &share, 1, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Scatterv(data, counts, displ, MPI_INT, part, share, MPI_INT, root, MPI_COMM_WORLD);
    shift(part[share - 1], 1, 1);
    MPI_Reduce(&part[0], &top, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < top % 4; i++)
            MPI_Send(&top, 1, MPI_INT, size - 1, 5, MPI_COMM_WORLD);
    MPI_Bcast(&top, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == size - 1)
        for (int i = 0; i < top % 4; i++)
            MPI_Recv(&share, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d %d\n", rank, share, top);
    MPI_Finalize();
    return 0;
}
