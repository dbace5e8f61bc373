/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_wrapper_meets
 * about: ranks meet in one collective and one pair of messages by different calls of a wrapper,
 * about: of a wrapper of wrappers, and by MPI itself
 * ranks: 2 3 4
 */
#include <mpi.h>
#include <stdio.h>

static void share(void *buf, int n, MPI_Datatype t)
{
    MPI_Bcast(buf, n, t, 0, MPI_COMM_WORLD);
}

static void give(void *buf, int n, int to, int tag)
{
    MPI_Send(buf, n, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

static void take(void *buf, int n, int from, int tag)
{
    MPI_Recv(buf, n, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void share_two(int *a, int *b)
{
    share(a, 1, MPI_INT);
    share(b, 1, MPI_INT);
}

/* Adds over all ranks by messages, as libraries do that have their own reductions. */
static void sum(int *v, int rank, int size)
{
    int other;
    if (rank) {
        give(v, sizeof *v, 0, 5);
    } else {
        for (int r = 1; r < size; r++) {
            take(&other, sizeof other, r, 5);
            *v += other;
        }
    }
    share(v, 1, MPI_INT);
}

int main(int argc, char **argv)
{
    int rank, size, a = 0, b = 0, v, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        a = argc + 1;
        b = 3;
        share_two(&a, &b);
        share(&a, 1, MPI_INT);
    } else if (rank == 1) {
        share(&a, 1, MPI_INT);
        MPI_Bcast(&b, 1, MPI_INT, 0, MPI_COMM_WORLD);
        share(&n, 1, MPI_INT);
    } else {
        MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD);
        share_two(&b, &n);
    }
    v = a * (rank + 1);
    sum(&v, rank, size);
    for (int i = 0; i < v % 5 + b; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    v = rank == size - 1 ? b : 1;
    sum(&v, rank, size);
    if (rank == 0) {
        n = v + 2;
        give(&n, sizeof n, 1, 9);
    }
    if (rank == 1)
        take(&n, sizeof n, 0, 9);
    share_two(&n, &v);
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %d %d %d %d\n", rank, a, b, v, n);
    MPI_Finalize();
    return 0;
}
