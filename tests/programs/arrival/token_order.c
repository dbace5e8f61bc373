/* commslice-test: token_order
 * about: a token goes round; who has it sends to rank 0, which receives from any source, and waits until that is taken
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static void collect(int size)
{
    double in[32];
    MPI_Status st;
    for (int i = 1; i < size; i++) {
        int n;
        MPI_Recv(in, 32, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &st);
        MPI_Get_count(&st, MPI_DOUBLE, &n);
        MPI_Send(in, n % 7, MPI_DOUBLE, st.MPI_SOURCE, 3, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double data[32] = {0};
    if (rank == 0) {
        collect(size);
    } else {
        if (rank < size - 1)
            MPI_Recv(NULL, 0, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(data, 5 * rank, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        if (rank > 1)
            MPI_Send(NULL, 0, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);
        MPI_Recv(data, 32, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
