/* commslice-test: trap_alltoall_block
 * about: an alltoall, a scatter and a reduction that scatters read a block for each rank, not count elements
 * ranks: 2 3 4
 */
#include <mpi.h>
#include <stdio.h>

int blocks[4], got[4], sums[4], nothing[100];

int main(int argc, char **argv)
{
    int rank, size, mine;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    blocks[0] = rank + 1;
    blocks[1] = rank + 2;
    blocks[2] = rank + 4;
    blocks[3] = rank + 8;
    MPI_Alltoall(blocks, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        MPI_Bcast(nothing, got[i], MPI_INT, 0, MPI_COMM_SELF);
    sums[0] = 1;
    sums[1] = 2 + rank;
    sums[2] = 3 * rank;
    sums[3] = 5;
    MPI_Reduce_scatter_block(sums, &mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(nothing, mine, MPI_INT, 0, MPI_COMM_SELF);
    blocks[0] = 3;
    blocks[1] = 5;
    blocks[2] = 7;
    blocks[3] = 9;
    MPI_Scatter(blocks, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(nothing, mine, MPI_INT, 0, MPI_COMM_SELF);
    printf("rank %d: %d\n", rank, mine);
    MPI_Finalize();
    return 0;
}
