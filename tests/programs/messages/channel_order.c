/* commslice-test: channel_order
 * about: same pair, tag and datatype: the first message is dead, the second decides a count, order must hold
 * ranks: 2 3 4
 * gone: spin
 * array: wheel 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static double spin(double *w, int n)
{
    double x = 1.0;
    for (int i = 0; i < n; i++) {
        x = x * 0.5 + i % 8;
        w[i] = x;
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, dead[4] = {1, 2, 3, 4}, live[4] = {0}, got[4], sum = 0, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *wheel = malloc(N * sizeof *wheel), x = spin(wheel, N), in[64];
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < 4; i++)
        live[i] = 10 * (rank + 1) + i;
    for (int round = 0; round < 3; round++) {
        MPI_Request r[2];
        MPI_Irecv(got, 4, MPI_INT, left, 0, MPI_COMM_WORLD, &r[0]);     /* the dead one */
        MPI_Isend(dead, 4, MPI_INT, right, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        sum += got[0];
        MPI_Irecv(got, 4, MPI_INT, left, 0, MPI_COMM_WORLD, &r[0]);     /* the live one */
        MPI_Isend(live, 4, MPI_INT, right, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        n = got[round] & 1 ? 7 : 30;        /* seen to be never 0: an empty message would match any datatype */
        MPI_Sendrecv(wheel, n, MPI_DOUBLE, left, 0, in, 64, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        live[round + 1] += n;
    }
    printf("rank %d: n %d sum %d x %g\n", rank, n, sum, x);
    free(wheel);
    MPI_Finalize();
    return 0;
}
