/* commslice-test: mprobe_order
 * about: answers that a manager has asked for one at a time are found by MPI_Improbe and MPI_Mprobe from any source
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static int next(double *in, int how)
{
    MPI_Message m;
    MPI_Status st;
    int n, flag = 0;
    if (how)
        MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &m, &st);
    while (!how && !flag)
        MPI_Improbe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &m, &st);
    MPI_Get_count(&st, MPI_DOUBLE, &n);
    MPI_Mrecv(in, n, MPI_DOUBLE, &m, MPI_STATUS_IGNORE);
    return st.MPI_SOURCE;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[64] = {0};
    for (int round = 0; round < 2; round++) {
        for (int i = size - 1; i > 0 && rank == 0; i--) {
            MPI_Send(NULL, 0, MPI_INT, i, 1, MPI_COMM_WORLD);
            int who = next(x, round);
            MPI_Send(x, 3 * who, MPI_DOUBLE, who, 3, MPI_COMM_WORLD);
        }
        if (rank > 0) {
            MPI_Recv(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(x, 4 + rank, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
            MPI_Recv(x, 64, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
