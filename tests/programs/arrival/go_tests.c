/* commslice-test: go_tests
 * about: a manager lets workers answer one at a time and polls all receives with MPI_Test, MPI_Testany and
 * about: MPI_Request_get_status in turn
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

/* The number of the first request that is complete; it is null then. */
static int poll(int n, MPI_Request *r, int how)
{
    int flag = 0, which = -1;
    while (!flag && how == 0)
        MPI_Testany(n, r, &which, &flag, MPI_STATUS_IGNORE);
    for (int i = 0; !flag; i = (i + 1) % n) {
        if (r[i] == MPI_REQUEST_NULL)
            continue;
        if (how == 1) {
            MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE);
        } else {
            MPI_Request_get_status(r[i], &flag, MPI_STATUS_IGNORE);
            if (flag)
                MPI_Wait(&r[i], MPI_STATUS_IGNORE);
        }
        which = i;
    }
    return which;
}

static void manage(int size, int how)
{
    double x[8] = {0};
    MPI_Request r[8];
    for (int i = 1; i < size; i++)
        MPI_Irecv(&x[i], 1, MPI_DOUBLE, i, 3, MPI_COMM_WORLD, &r[i - 1]);
    for (int i = size - 1; i > 0; i--) {
        MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD);
        int which = poll(size - 1, r, how);
        MPI_Send(x, which, MPI_DOUBLE, which + 1, 9, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[8] = {0};
    for (int how = 0; how < 3; how++) {
        if (rank == 0) {
            manage(size, how);
            continue;
        }
        MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(x, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(x, 8, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
