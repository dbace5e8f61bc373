/* SPDX-License-Identifier: BSD-3-Clause
 * Nothing but calls: 301 pieces of computation a rank, with nothing in them, say what a piece costs SMPI. */
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, ranks, in, out = 1;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 100; i++) {
        MPI_Irecv(&in, 1, MPI_INT, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(&out, 1, MPI_INT, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
