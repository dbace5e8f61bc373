/* SPDX-License-Identifier: BSD-3-Clause
 * A program with one of everything that an exported trace has to say: messages of all kinds, persistent ones,
 * wildcards, collectives of everybody and of halves, a nonblocking collective. For tests/export_test.sh. */
#include <mpi.h>

static double a[64], b[64];

static void messages(int rank, int n)
{
    MPI_Request q[2];
    int to = (rank + 1) % n, from = (rank + n - 1) % n;
    MPI_Irecv(a, 64, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(b, 64, MPI_DOUBLE, to, 3, MPI_COMM_WORLD, &q[1]);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(a, 5, MPI_DOUBLE, to, 1, b, 5, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(a, 6, MPI_INT, from, 2, to, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(a, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &q[0]);
    MPI_Send(b, 10, MPI_DOUBLE, to, 4, MPI_COMM_WORLD);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Irecv(a, 8, MPI_DOUBLE, rank ? rank - 1 : MPI_PROC_NULL, 5, MPI_COMM_WORLD, &q[0]);
    MPI_Send(b, 8, MPI_DOUBLE, rank < n - 1 ? rank + 1 : MPI_PROC_NULL, 5, MPI_COMM_WORLD);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
}

static void persistent(int rank, int n)
{
    MPI_Request q[2];
    MPI_Recv_init(a, 4, MPI_DOUBLE, (rank + n - 1) % n, 7, MPI_COMM_WORLD, &q[0]);
    MPI_Send_init(b, 4, MPI_DOUBLE, (rank + 1) % n, 7, MPI_COMM_WORLD, &q[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
}

static void collectives(MPI_Comm comm)
{
    int n, rank, one[64], at[64], given[64], got[64], apart[64];
    MPI_Request q;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < 64; i++) {
        one[i] = 1;
        at[i] = i;
        given[i] = rank % 2 * 2; /* nothing from half of the ranks: not to be taken for MPI_IN_PLACE */
        got[i] = i % 2 * 2;
        apart[i] = 2 * i;
    }
    MPI_Bcast(a, 10, MPI_DOUBLE, 0, comm);
    MPI_Allreduce(a, b, 10, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, b, 3, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Reduce(a, b, 10, MPI_DOUBLE, MPI_SUM, n - 1, comm);
    MPI_Alltoall(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, comm);
    MPI_Alltoallv(a, one, at, MPI_DOUBLE, b, one, at, MPI_DOUBLE, comm);
    MPI_Alltoallv(a, given, apart, MPI_DOUBLE, b, got, apart, MPI_DOUBLE, comm);
    MPI_Alltoallv(MPI_IN_PLACE, one, apart, MPI_DOUBLE, b, one, apart, MPI_DOUBLE, comm);
    MPI_Allgather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, comm);
    MPI_Allgatherv(a, 1, MPI_DOUBLE, b, one, at, MPI_DOUBLE, comm);
    MPI_Gather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, 0, comm);
    MPI_Gatherv(a, 1, MPI_DOUBLE, b, one, at, MPI_DOUBLE, 0, comm);
    MPI_Scatter(a, 1, MPI_DOUBLE, b, 1, MPI_DOUBLE, 0, comm);
    MPI_Scatterv(a, one, at, MPI_DOUBLE, b, 1, MPI_DOUBLE, 0, comm);
    MPI_Reduce_scatter(a, b, one, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Reduce_scatter_block(a, b, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Scan(a, b, 2, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Exscan(a, b, 2, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Iallreduce(a, b, 10, MPI_DOUBLE, MPI_SUM, comm, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    int rank, n;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    messages(rank, n);
    persistent(rank, n);
    collectives(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    collectives(half);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
