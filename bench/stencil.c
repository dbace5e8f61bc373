/* SPDX-License-Identifier: BSD-3-Clause
 * A million regular calls a rank: an exchange with both neighbours, again and again. As a slice nothing is sent. */
#include <mpi.h>

enum { STEPS = 200000, N = 1000 };

int main(int argc, char **argv)
{
    static double left[N], right[N], own[N];
    int rank, size;
    MPI_Request r[4];
    MPI_Status s[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < STEPS; step++) {
        MPI_Irecv(left, N, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(right, N, MPI_DOUBLE, (rank + 1) % size, 2, MPI_COMM_WORLD, &r[1]);
        MPI_Isend(own, N, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD, &r[2]);
        MPI_Isend(own, N, MPI_DOUBLE, (rank + size - 1) % size, 2, MPI_COMM_WORLD, &r[3]);
        MPI_Waitall(4, r, s);
        for (int i = 0; i < N; i++)
            own[i] = 0.5 * own[i] + 0.25 * (left[i] + right[i]);
    }
    return MPI_Finalize();
}
