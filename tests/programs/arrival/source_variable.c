/* commslice-test: source_variable
 * about: whether a receive names a source or MPI_ANY_SOURCE, a variable of many values says
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static int source_of(int turn, int how)
{
    static const int all[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, MPI_ANY_SOURCE};
    return how ? all[12] : all[turn - 1];
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[32] = {0};
    for (int how = 0; how < 2; how++)
        for (int i = size - 1; i > 0; i--) {
            if (rank == 0) {
                MPI_Status st;
                MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD);
                MPI_Recv(x, 32, MPI_DOUBLE, source_of(i, how), 2, MPI_COMM_WORLD, &st);
                MPI_Send(x, 2 * st.MPI_SOURCE + how, MPI_DOUBLE, st.MPI_SOURCE, 3, MPI_COMM_WORLD);
            }
            if (rank == i) {
                MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(x, rank, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
                MPI_Recv(x, 32, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        }
    MPI_Finalize();
    return 0;
}
