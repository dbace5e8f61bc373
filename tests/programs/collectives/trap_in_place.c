/* commslice-test: trap_in_place
 * about: MPI_IN_PLACE collectives whose result decides counts; the same calls with dead data
 * ranks: 2 3 4
 * most-ranks: 8
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>
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
    int n[8] = {0}, best[2], gathered[8] = {0}, dead[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++)
        n[i] = (rank + 2) * (i + 1) % 9;
    for (int i = 0; i < size; i++)
        dead[i] = n[i] * 2;
    MPI_Allreduce(MPI_IN_PLACE, dead, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, n, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    shift(n[rank] + 1, 1, 1);
    gathered[rank] = n[(rank + 1) % size] + rank;
    MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, gathered, 1, MPI_INT, MPI_COMM_WORLD);
    shift(gathered[(rank + 1) % size], 2, 1);
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, gathered, 1, MPI_INT, MPI_COMM_WORLD);
    shift(gathered[size - 1], 3, 1);
    best[0] = gathered[0];
    best[1] = rank;
    if (rank == size - 1)
        MPI_Reduce(MPI_IN_PLACE, best, 1, MPI_2INT, MPI_MAXLOC, size - 1, MPI_COMM_WORLD);
    else
        MPI_Reduce(best, NULL, 1, MPI_2INT, MPI_MAXLOC, size - 1, MPI_COMM_WORLD);
    MPI_Bcast(best, 2, MPI_INT, size - 1, MPI_COMM_WORLD);
    shift(best[0] + 1, best[1], 1);
    printf("rank %d: %d %d %d\n", rank, best[0], best[1], dead[0]);
    MPI_Finalize();
    return 0;
}
