/* commslice-test: collective_order
 * about: collectives that carry nothing of interest put sends to rank 0 in order: it takes part in one only when it has
 * about: received, from any source
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

/* No rank leaves before rank 0 has come. */
static void wait_for_root(int how, int rank, double *data)
{
    double other[8];
    MPI_Request r;
    switch (how % 5) {
    case 0: MPI_Bcast(data, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); break;
    case 1: MPI_Allreduce(data, other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); break;
    case 2: MPI_Scatter(other, 1, MPI_DOUBLE, data + 4 + rank, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); break;
    case 3:
        MPI_Ibcast(data, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Gather(data, 1, MPI_DOUBLE, other, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Scan(data, other, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double data[32] = {0};
    int sum = 0;
    for (int how = 0; how < 5; how++)
        for (int turn = size - 1; turn > 0; turn--) {
            if (rank == turn)
                MPI_Send(data, turn, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
            if (rank == 0) {
                MPI_Status st;
                MPI_Recv(data, 32, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &st);
                sum = (2 * sum + st.MPI_SOURCE) % 23;
            }
            wait_for_root(how, rank, data);
        }
    if (rank == 0)
        MPI_Send(data, sum, MPI_DOUBLE, size - 1, 5, MPI_COMM_WORLD);
    if (rank == size - 1)
        MPI_Recv(data, 32, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
