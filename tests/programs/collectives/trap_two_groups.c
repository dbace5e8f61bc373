/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_two_groups
 * about: collectives between two groups: ranks beside the root call with MPI_PROC_NULL, from another line, with any
 * about: count and datatype
 * ranks: 2 3 4
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size, half, low, pay[2048];
static MPI_Comm both;

static void meet(int n)
{
    MPI_Bcast(pay, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
    printf("%d\n", n & 1023);
}

static int told(int n)
{
    char none = 0;
    int got = 0, most = 0;
    if (!low) MPI_Bcast(&got, 1, MPI_INT, 0, both);
    else if (rank == 0) MPI_Bcast(&n, 1, MPI_INT, MPI_ROOT, both);
    else MPI_Bcast(&none, 0, MPI_CHAR, MPI_PROC_NULL, both);
    MPI_Allreduce(&got, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* The last rank gets the sum of what the low ones have, and tells all. */
static int collected(void)
{
    int own = rank + 5, sum = 0, root = size - half - 1;
    if (low) MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, root, both);
    else if (rank == size - 1) MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_ROOT, both);
    else MPI_Reduce(&own, &sum, 0, MPI_CHAR, MPI_MAX, MPI_PROC_NULL, both);
    MPI_Bcast(&sum, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Comm own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    half = (size + 1) / 2;
    low = rank < half;
    MPI_Comm_split(MPI_COMM_WORLD, low, rank, &own);
    MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, low ? half : 0, 9, &both);
    meet(told(size + 7));
    meet(collected() + 100);
    MPI_Comm_free(&both);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
