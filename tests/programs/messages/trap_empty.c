/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_empty
 * about: a message without data may have any datatype: one of no characters ends a stream of reals, a broadcast of
 * about: nothing joins two types
 * ranks: 2 3
 * gone: work
 */
#include <mpi.h>
#include <stdio.h>

#define N 4096
static double field[N], sum;

static void work(void)
{
    for (int step = 0; step < 100; step++)
        for (int i = 1; i < N - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

static void give(int size)
{
    for (int to = 1; to < size; to++) {
        for (int i = 0; i < 3; i++)
            MPI_Send(field, 100 * to + i, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
        MPI_Send(NULL, 0, MPI_CHAR, to, 1, MPI_COMM_WORLD);
    }
}

static int take(void)
{
    int n, pieces = 0;
    MPI_Status status;
    for (;;) {
        MPI_Recv(field, N, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &n);
        if (n == 0)
            return pieces;
        MPI_Send(field, n / 100 + 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
        pieces++;
    }
}

int main(int argc, char **argv)
{
    int rank, size, none = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[N / 2] = rank + 1;
    work();
    if (rank == 0)
        give(size);
    else
        take();
    for (int i = 0; rank == 0 && i < 3 * (size - 1); i++)
        MPI_Recv(field, N, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Bcast(NULL, none, MPI_BYTE, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(field, none, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        sum += field[i];
    printf("rank %d: %g\n", rank, sum);
    MPI_Finalize();
    return 0;
}
