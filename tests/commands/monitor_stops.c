/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks that stop in a known call until the file `go` is there. usage: monitor_stops WHAT
 * chain: rank 0 computes, each other rank waits for the one before. barrier: rank 1 computes, all others are in a
 * barrier. split: the same, in a communicator of the even ranks. any: rank 1 receives from any rank. killed: rank 1
 * kills itself. */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

static void compute(void)
{
    while (access("go", F_OK))
        usleep(10000);
}

static void chain(void)
{
    int x = 0;
    MPI_Request request;
    if (rank == 0)
        compute();
    if (rank) {
        MPI_Irecv(&x, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank + 1 < ranks)
        MPI_Send(&x, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
}

static void split(void)
{
    MPI_Comm comm;
    int x = rank;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
    if (rank == 2)
        compute();
    MPI_Bcast(&x, 1, MPI_INT, 0, comm);
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 0, comm, MPI_STATUS_IGNORE); /* rank 2 of the world */
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 0, comm);
    MPI_Comm_free(&comm);
}

static void any(void)
{
    int x = 0;
    if (rank == 0)
        compute();
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "chain";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(what, "chain") == 0)
        chain();
    else if (strcmp(what, "split") == 0)
        split();
    else if (strcmp(what, "any") == 0)
        any();
    else if (rank == 1)
        compute();
    if (strcmp(what, "killed") == 0 && rank == 1)
        raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
