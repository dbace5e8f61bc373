/* SPDX-License-Identifier: BSD-3-Clause
 * A token that goes round all ranks ten times. What it carries decides nothing, so a slice sends nothing: build it as
 * an instrumented original (mode=original), then every message is real. */
#include <mpi.h>
#include <stdio.h>

enum { LAPS = 10 };

int main(int argc, char **argv)
{
    int rank, size, token = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int lap = 0; lap < LAPS; lap++) {
        if (rank > 0 || lap > 0)
            MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        token++;
        if (rank < size - 1 || lap < LAPS - 1)
            MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    }
    if (rank == size - 1 && token != LAPS * size)
        fprintf(stderr, "ring: the token is %d, not %d\n", token, LAPS * size);
    MPI_Finalize();
    return rank == size - 1 && token != LAPS * size;
}
