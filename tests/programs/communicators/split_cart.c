/* commslice-test: split_cart
 * about: split, dup, cartesian and sub-grid communicators; colours and coordinates decide messages
 * ranks: 2 3 4
 * gone: relax
 * array: plane 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static double relax(double *p, int n)
{
    for (int i = 1; i < n; i++)
        p[i] = 0.5 * (p[i - 1] + i % 3);
    return p[n - 1];
}

static int shift_all(MPI_Comm cart, int ndims, double *p)
{
    int calls = 0, coords[2] = {0, 0}, rank;
    MPI_Comm_rank(cart, &rank);
    MPI_Cart_coords(cart, rank, ndims, coords);
    for (int d = 0; d < ndims; d++)
        for (int disp = 1; disp >= -1; disp -= 2) {
            int from, to;
            double in[64];
            MPI_Cart_shift(cart, d, disp, &from, &to);
            MPI_Sendrecv(p, 5 + 3 * coords[0] + coords[1], MPI_DOUBLE, to, d, in, 64, MPI_DOUBLE, from, d, cart,
                         MPI_STATUS_IGNORE);
            calls += to != MPI_PROC_NULL;
        }
    return calls;
}

int main(int argc, char **argv)
{
    int rank, size, dims[2] = {0, 0}, periods[2] = {1, 0}, keep[2] = {0, 1}, n = 0;
    MPI_Comm cart, row, half, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    double *plane = calloc(N, sizeof *plane), r = relax(plane, N);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    n += shift_all(cart, 2, plane);
    MPI_Cart_sub(cart, keep, &row);
    n += shift_all(row, 1, plane);

    /* the last rank takes no part when there are more than two; order is turned round by the key */
    int color = (size > 2 && rank == size - 1) ? MPI_UNDEFINED : (rank * 5 + 1) % 2;
    MPI_Comm_split(MPI_COMM_WORLD, color, -rank, &half);
    if (half != MPI_COMM_NULL) {
        int hr, hs, root;
        MPI_Comm_dup(half, &copy);
        MPI_Comm_rank(copy, &hr);
        MPI_Comm_size(copy, &hs);
        root = (hs - 1) / 2;
        MPI_Bcast(plane, 10 + hs + color, MPI_DOUBLE, root, copy);
        if (hs > 1)
            MPI_Sendrecv_replace(plane, 7 + hs, MPI_DOUBLE, (hr + 1) % hs, 1, (hr + hs - 1) % hs, 1, half,
                                 MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
        MPI_Comm_free(&half);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&cart);
    printf("rank %d: %d shifts, %g\n", rank, n, r);
    free(plane);
    MPI_Finalize();
    return 0;
}
