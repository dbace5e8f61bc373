/* SPDX-License-Identifier: BSD-3-Clause
 * A run that ends otherwise than by MPI_Finalize: rank 1 does what the argument says after 101 events.
 * Whatever it is, the trace must have these events of rank 1. And errno must be after a call what it was before. */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, x = 1, sum, n = argc > 2 ? atoi(argv[2]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n; i++) {
        errno = i % 2 ? EDOM : 0;
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (errno != (i % 2 ? EDOM : 0))
            puts("errno is another one after MPI_Allreduce");
    }
    if (rank == 1 && strcmp(argv[1], "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (rank == 1 && strcmp(argv[1], "exit") == 0)
        exit(5);
    if (rank == 1 && strcmp(argv[1], "term") == 0)
        raise(SIGTERM);
    if (rank == 1 && strcmp(argv[1], "kill") == 0)
        raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
