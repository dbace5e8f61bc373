/* commslice-test: go_waitsome
 * about: a manager lets workers answer one at a time, from both ends, and takes the answers with MPI_Waitsome
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static void take(int n, MPI_Request *r, double *x)
{
    int some, which[8];
    MPI_Waitsome(n, r, &some, which, MPI_STATUSES_IGNORE);
    for (int k = 0; k < some; k++)
        MPI_Send(x, 3 * which[k] + some, MPI_DOUBLE, which[k] + 1, 9, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[32] = {rank};
    MPI_Request r[8];
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&x[i], 1, MPI_DOUBLE, i, 3, MPI_COMM_WORLD, &r[i - 1]);
        for (int k = 0; k < size - 1; k++) {
            MPI_Send(NULL, 0, MPI_INT, k % 2 ? 1 + k / 2 : size - 1 - k / 2, 1, MPI_COMM_WORLD);
            take(size - 1, r, x);
        }
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(x, 32, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
