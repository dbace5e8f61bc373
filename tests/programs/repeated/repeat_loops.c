/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: repeat_loops
 * about: loops of which the slice may run one turn for all: by all comparisons, up and down, in nests, with
 * about: requests in memory, with counters that are used behind the loop
 * args: 7
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>

static double field[64], halo[64];
static int left, right;
static MPI_Request pending[2];

static void exchange(int n)
{
    MPI_Irecv(halo, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &pending[0]);
    MPI_Isend(field, n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &pending[1]);
    MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++)
        field[i] += 0.5 * halo[i];
}

static void sum(int n)
{
    double all[64];
    MPI_Allreduce(field, all, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    field[0] += all[0] * 1e-9;
}

/* What the counter is behind the loop is a count. */
static void behind(int limit)
{
    int i;
    unsigned char u;
    for (i = 3; i < limit; i += 4)
        exchange(2);
    sum(i);
    for (i = limit; i > 0; i -= 3)
        exchange(3);
    sum(i + 5);
    for (u = 250; u != 5; u++)
        if (u & 8)
            continue;
    sum(u);
}

/* A loop that has its end at its end, and one that comes to none of its turns. */
static void ends(int n)
{
    int i = 0;
    do {
        exchange(1);
    } while (++i < n);
    sum(i);
    for (int k = n; k < n; k++)
        sum(k);
    for (long k = n; k >= 0; k--)
        exchange(4);
    for (unsigned k = (unsigned)n; k > 3; k -= 2)
        exchange(5);
}

static void nests(int n)
{
    for (int a = 0; a < n; a++) {
        exchange(6);
        for (int b = 0; b < 3; b++)
            for (int c = b; c < 4; c++)
                sum(7);
        for (int b = 0; b <= n; b++)
            exchange(8);
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 7;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    for (int i = 0; i < 64; i++)
        field[i] = i + rank;
    if (argc > 1)
        sscanf(argv[1], "%d", &n);
    behind(2 * n);
    ends(n);
    nests(3);
    if (rank == 0)
        printf("%.6g\n", field[0]);
    MPI_Finalize();
    return 0;
}
