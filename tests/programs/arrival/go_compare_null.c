/* commslice-test: go_compare_null
 * about: which request MPI_Waitany has completed is found by comparing all of them with MPI_REQUEST_NULL
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static int the_null(const MPI_Request *r, int n)
{
    for (int i = 0; i < n; i++)
        if (r[i] == MPI_REQUEST_NULL)
            return i;
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, which;
    double x[64] = {1};
    MPI_Request r[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&x[i], 1, MPI_DOUBLE, i, 3, MPI_COMM_WORLD, &r[i - 1]);
        for (int i = size - 1; i > 0; i--) {
            MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD);
            MPI_Waitany(size - 1, r, &which, MPI_STATUS_IGNORE);
            MPI_Send(x, 3 * the_null(r, size - 1), MPI_DOUBLE, size - 1, 9, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
    for (int i = 1; i < size && rank == size - 1; i++)
        MPI_Recv(x, 64, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
