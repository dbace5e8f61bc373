/* commslice-test: persistent_any
 * about: persistent requests that are started again and again, completed by Waitany, and freed in the end; before, a
 * about: loop of nothing but Waitany
 * ranks: 2 3 4
 * most-ranks: 8
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, which, out[9] = {1}, in[9] = {0};
    MPI_Request q[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request once[24];
    for (int i = 0; i < 12; i++) {
        MPI_Irecv(in, 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &once[2 * i]);
        MPI_Isend(out, 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &once[2 * i + 1]);
    }
    for (int i = 0; i < 24; i++)
        MPI_Waitany(24, once, &which, MPI_STATUS_IGNORE);
    for (int count = 3; count <= 9; count += 3) {
        MPI_Send_init(out, count, MPI_INT, (rank + 1) % size, 6, MPI_COMM_WORLD, &q[0]);
        MPI_Recv_init(in, count, MPI_INT, (rank + size - 1) % size, 6, MPI_COMM_WORLD, &q[1]);
        for (int i = 0; i < 6; i++) {
            MPI_Startall(2, q);
            MPI_Waitany(2, q, &which, MPI_STATUS_IGNORE);
            MPI_Waitany(2, q, &which, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < 6; i++) {
            MPI_Start(&q[0]);
            MPI_Start(&q[1]);
            MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
        }
        MPI_Request_free(&q[0]);
        MPI_Request_free(&q[1]);
    }
    printf("rank %d: %d\n", rank, in[0]);
    return MPI_Finalize();
}
