/* commslice-test: go_any_source
 * about: a manager tells workers to answer in its own order, and receives from any source; the length of an answer
 * about: and who sent it decide what comes next
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stddef.h>

static int manage(int size)
{
    double in[64];
    int sum = 0;
    for (int round = 0; round < 3; round++)
        for (int i = 1; i < size; i++) {
            MPI_Status st;
            int who = 1 + (i * 5 + round) % (size - 1), n;
            MPI_Send(NULL, 0, MPI_BYTE, who, 1, MPI_COMM_WORLD);
            MPI_Recv(in, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &st);
            MPI_Get_count(&st, MPI_DOUBLE, &n);
            sum += n;
            MPI_Send(in, (sum + st.MPI_SOURCE * 3) % 20, MPI_DOUBLE, st.MPI_SOURCE, 3, MPI_COMM_WORLD);
        }
    return sum;
}

static void work(int rank)
{
    double data[64] = {0};
    for (int round = 0; round < 3; round++) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 10 + rank, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(data, 64, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
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
        work(rank);
    MPI_Finalize();
    return 0;
}
