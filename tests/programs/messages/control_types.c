/* commslice-test: control_types
 * about: control and payload have the same tag and pair of ranks, only the datatype tells them apart
 * ranks: 2 3 4
 * gone: model
 * array: state 64
 * marks: content=2
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)
#define TAG 9

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
    int rank, size, len = 4, turns = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *state = malloc(N * sizeof *state), t = model(state, N);

    if (rank == 0) {
        while (len > 0) {
            int next = len * 5 % 23;
            for (int p = 1; p < size; p++)
                MPI_Send(state, len, MPI_DOUBLE, p, TAG, MPI_COMM_WORLD);
            for (int p = 1; p < size; p++)
                MPI_Send(&next, 1, MPI_INT, p, TAG, MPI_COMM_WORLD);
            len = ++turns < 6 ? next : 0;
            if (turns == 6)
                for (int p = 1; p < size; p++)
                    MPI_Send(state, 1, MPI_DOUBLE, p, TAG, MPI_COMM_WORLD);
        }
    } else {
        while (turns < 6) {
            MPI_Recv(state, len, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&len, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            turns++;
        }
        MPI_Recv(state, 1, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("rank %d: %d turns, len %d, %g\n", rank, turns, len, t);
    free(state);
    MPI_Finalize();
    return 0;
}
