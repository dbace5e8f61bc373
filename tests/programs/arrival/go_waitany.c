/* commslice-test: go_waitany
 * about: a manager tells one worker after the other to answer, the last one first; MPI_Waitany says who has
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static void manage(int size)
{
    double x[8];
    MPI_Request r[8];
    for (int i = 1; i < size; i++)
        MPI_Irecv(&x[i], 1, MPI_DOUBLE, i, 3, MPI_COMM_WORLD, &r[i - 1]);
    for (int i = size - 1; i > 0; i--) {
        int which;
        MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD);
        MPI_Waitany(size - 1, r, &which, MPI_STATUS_IGNORE);
        MPI_Send(x, which, MPI_DOUBLE, which + 1, 9, MPI_COMM_WORLD);
    }
}

static void work(void)
{
    double x[8] = {2};
    MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    MPI_Recv(x, 8, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        manage(size);
    else
        work();
    MPI_Finalize();
    return 0;
}
