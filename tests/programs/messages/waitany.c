/* commslice-test: waitany
 * about: Waitany and a Testall poll; indices and received counts add up to the size of a broadcast
 * ranks: 2 3 4
 * most-ranks: 8
 * gone: prepare
 * array: stock 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static double prepare(double *s, int n)
{
    double t = 0.0;
    for (int i = 0; i < n; i++) {
        s[i] = (double)(i % 37);
        t += s[i];
    }
    return t;
}

/* The order of arrival is a matter of timing, the sum over all is not. */
static int collect(int size, double *room)
{
    MPI_Request req[8];
    MPI_Status st;
    int total = 0, idx, got;
    for (int w = 1; w < size; w++)
        MPI_Irecv(room + 64 * w, 64, MPI_DOUBLE, w, 5, MPI_COMM_WORLD, &req[w - 1]);
    for (int w = 1; w < size; w++) {
        MPI_Waitany(size - 1, req, &idx, &st);
        MPI_Get_count(&st, MPI_DOUBLE, &got);
        total += got * (idx + 1) + st.MPI_SOURCE;
    }
    return total;
}

int main(int argc, char **argv)
{
    int rank, size, total = 0, flag = 0;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *stock = malloc(N * sizeof *stock), *room = calloc(64 * 8, sizeof *room), t = prepare(stock, N);
    if (rank == 0)
        total = collect(size, room);
    else
        MPI_Send(stock, 10 + 7 * rank, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    MPI_Bcast(&total, 1, MPI_INT, 0, MPI_COMM_WORLD);

    MPI_Irecv(room, 512, MPI_DOUBLE, (rank + 1) % size, 6, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(stock, total, MPI_DOUBLE, (rank + size - 1) % size, 6, MPI_COMM_WORLD, &r[1]);
    while (!flag)
        MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    printf("rank %d: %d, %g\n", rank, total, t + room[1]);
    free(room);
    free(stock);
    MPI_Finalize();
    return 0;
}
