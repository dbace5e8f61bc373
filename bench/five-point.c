/* SPDX-License-Identifier: BSD-3-Clause
 * A five-point stencil on a grid of ranks, with its number of steps as argument; in every tenth step the residual is
 * summed up. For steps-curve.sh. */
#include <mpi.h>
#include <stdlib.h>

enum { N = 64 };

int main(int argc, char **argv)
{
    static double edge[4][N], side[4][N];
    int dims[2] = {0, 0}, periods[2] = {0, 0}, next[4], size;
    long steps = argc > 1 ? atol(argv[1]) : 1000;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &next[0], &next[1]);
    MPI_Cart_shift(grid, 1, 1, &next[2], &next[3]);
    for (long step = 0; step < steps; step++) {
        MPI_Request r[8];
        for (int i = 0; i < 4; i++) {
            MPI_Irecv(edge[i], N, MPI_DOUBLE, next[i], 0, grid, &r[i]);
            MPI_Isend(side[i], N, MPI_DOUBLE, next[i], 0, grid, &r[4 + i]);
        }
        MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 4 * N; i++)
            side[i / N][i % N] = 0.2 * (side[i / N][i % N] + 4 * edge[i / N][i % N]);
        if (step % 10 == 0) {
            double own = side[0][0], all;
            MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
        }
    }
    MPI_Finalize();
    return 0;
}
