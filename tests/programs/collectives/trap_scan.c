/* commslice-test: trap_scan
 * about: Scan and Exscan give offsets, from which counts and the number of messages follow
 * ranks: 2 3 4
 * most-ranks: 15
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
    int mine, upto = 0, before = 5, blocks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine = 3 + rank * 2;
    MPI_Scan(&mine, &upto, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        before = 0;                      /* Exscan leaves it alone on rank 0 */
    shift(upto, 1, 1);
    blocks = upto / 4 - before / 4;
    for (int i = 0; i < blocks; i++)
        MPI_Send(&mine, 1, MPI_INT, rank, 10 + i, MPI_COMM_WORLD);
    for (int i = 0; i < blocks; i++)
        MPI_Recv(&mine, 1, MPI_INT, rank, 10 + i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    shift(before + mine, 2, 1);
    printf("rank %d: %d %d %d\n", rank, before, upto, blocks);
    MPI_Finalize();
    return 0;
}
