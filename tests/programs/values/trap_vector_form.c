/* commslice-test: trap_vector_form
 * about: sines of an array with -Ofast, for which GCC calls the library's form for vectors: nothing of the call
 * about: itself is left in the original, but it is computed
 * ranks: 2 3
 * flags: -Ofast
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>

#include <mpi.h>

enum { N = 1000 };

int main(int argc, char **argv)
{
    double x[N], y[N];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int turn = 1; turn <= 5; turn++) {
        int n = 0;
        for (int i = 0; i < N; i++)
            x[i] = sin(i * turn * 0.37 + rank);
        for (int i = 0; i < 20; i++)
            n += x[50 * i] > 0.25;
        MPI_Sendrecv(x, n, MPI_DOUBLE, rank, 0, y, N, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0)
            printf("%d %d\n", turn, n);
    }
    return MPI_Finalize();
}
