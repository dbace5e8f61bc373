/* commslice-test: merged_inter
 * about: an intercommunicator is merged; what is gathered in place on the new communicator, which is none
 * ranks: 2 3 4
 * most-ranks: 8
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm half, inter, all;
    int rank, size, me, got[8][2] = {{0}}, next[3] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);
    MPI_Intercomm_merge(inter, rank % 2, &all);
    MPI_Comm_rank(all, &me);
    got[me][0] = rank;
    got[me][1] = rank + 1;
    for (int root = 0; root < size; root++)
        MPI_Gather(me == root ? MPI_IN_PLACE : got[me], me == root ? 0 : 2, me == root ? MPI_DATATYPE_NULL : MPI_INT,
            got, 2, MPI_INT, root, all);
    for (int i = 0; i < 10; i++)
        MPI_Sendrecv(got, 2, MPI_INT, (me + 1) % size, i, next, 3, MPI_INT, (me + size - 1) % size, i, all,
            MPI_STATUS_IGNORE);
    MPI_Allreduce(&next[0], &sum, 1, MPI_INT, MPI_SUM, inter);
    MPI_Bcast(&sum, 1, MPI_INT, 0, all);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Comm_free(&all);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
