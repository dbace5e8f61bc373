/* commslice-test: control_kinds
 * about: turns and payload have the same tag, ranks and size of elements; only that one is of whole numbers, the
 * about: other of real ones tells them apart, in messages and in reductions to which ranks come from two places
 * ranks: 2 3 4
 * gone: model
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (1024 * 1024)

static double model(double *s, int n)
{
    double t = 1.0;
    for (int i = 0; i < n; i++) {
        s[i] = t;
        t = t * 0.9 + i % 3;
    }
    return t;
}

int main(int argc, char **argv)
{
    int rank, size, tag = argc + 4;
    long len = 4, most;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *state = malloc(N * sizeof *state), t = model(state, N), sum;

    for (int turn = 0; turn < 5; turn++) {
        if (rank == 0) {
            long next = len * 5 % 23 + turn;
            for (int p = 1; p < size; p++)
                MPI_Send(state, 1, MPI_DOUBLE, p, tag, MPI_COMM_WORLD);
            for (int p = 1; p < size; p++)
                MPI_Send(&next, 1, MPI_LONG, p, tag, MPI_COMM_WORLD);
            len = next;
            MPI_Reduce(&t, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(state, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&len, 1, MPI_INT64_T, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Reduce(&t, NULL, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        }
        long mine = len + rank;
        if (rank == 0)
            MPI_Allreduce(&mine, &most, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(&mine, &most, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(state, (int)(len + most % 17), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    printf("rank %d: len %ld, %g %g\n", rank, len, t, sum);
    free(state);
    MPI_Finalize();
    return 0;
}
