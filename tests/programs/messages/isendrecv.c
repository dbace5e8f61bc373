/* commslice-test: isendrecv
 * about: nonblocking sends and receives in one call, around a ring and in place: a count comes with the first, content
 * about: that decides nothing with the others
 * ranks: 2 3 4
 * gone: work
 * array: zone 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static void work(double *z, int part)
{
    for (int i = part * (N / 8); i < (part + 1) * (N / 8); i++)
        z[i] = z[i] * 0.5 + i % 6;
}

int main(int argc, char **argv)
{
    int rank, size, own, got = 0, flag = 0;
    MPI_Request q[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    double *zone = calloc(N, sizeof *zone);
    own = 3 + rank;
    MPI_Isendrecv(&own, 1, MPI_INT, next, 1, &got, 1, MPI_INT, last, 1, MPI_COMM_WORLD, &q[0]);
    work(zone, 0);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    for (int s = 0; s < 3; s++) {
        work(zone, s + 1);
        MPI_Isendrecv(zone, own, MPI_DOUBLE, next, 2, zone + 100, got, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, &q[0]);
        MPI_Isendrecv_replace(zone + 200, 20, MPI_DOUBLE, last, 3, next, 3, MPI_COMM_WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    /* At the end of a chain there is nobody. */
    int to = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, from = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Isendrecv_replace(zone, 5, MPI_DOUBLE, to, 4, from, 4, MPI_COMM_WORLD, &q[0]);
    while (!flag)
        MPI_Test(&q[0], &flag, MPI_STATUS_IGNORE);
    printf("rank %d: %d, %g\n", rank, got, zone[3]);
    free(zone);
    MPI_Finalize();
    return 0;
}
