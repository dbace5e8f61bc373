/* commslice-test: recursion
 * about: a binomial tree by recursion, mutual recursion and pointers to the caller's locals decide messages
 * ranks: 2 3 4
 * gone: fold_sum
 * array: leaf 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static double *leaf;

static double fold_sum(double *a, int n)
{
    if (n <= 64) {
        double s = 0.0;
        for (int i = 0; i < n; i++)
            s += a[i] + i;
        return s;
    }
    a[0] = fold_sum(a, n / 2);
    a[n / 2] = fold_sum(a + n / 2, n - n / 2);
    return a[0] + a[n / 2];
}

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int odd(int n);

static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

/* Rank lo has the data; halves of [lo, hi) get it. Depth is counted in the frame of the first caller. */
static void spread(double *buf, int rank, int lo, int hi, int level, int *depth)
{
    if (hi - lo < 2)
        return;
    int mid = lo + (hi - lo + 1) / 2, count = fib(level + 4);
    if (level > *depth)
        *depth = level;
    if (rank == lo)
        MPI_Send(buf, count, MPI_DOUBLE, mid, level, MPI_COMM_WORLD);
    else if (rank == mid)
        MPI_Recv(buf, count, MPI_DOUBLE, lo, level, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < mid)
        spread(buf, rank, lo, mid, level + 1, depth);
    else
        spread(buf, rank, mid, hi, level + 1, depth);
}

int main(int argc, char **argv)
{
    int rank, size, depth = 0;
    double buf[256] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    leaf = calloc(N, sizeof *leaf);
    double s = fold_sum(leaf, N);
    spread(buf, rank, 0, size, 0, &depth);
    int deepest = depth;
    if (even(size))
        deepest = 2 * depth + 1;
    /* the depth differs between ranks: everybody sends its own number of messages to the right */
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < 3; i++)
        MPI_Sendrecv(buf, fib(deepest + i), MPI_DOUBLE, right, i, buf + 128, 128, MPI_DOUBLE, left, i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    printf("rank %d: depth %d, sum %g\n", rank, deepest, s);
    free(leaf);
    MPI_Finalize();
    return 0;
}
