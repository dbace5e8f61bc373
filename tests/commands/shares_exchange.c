/* SPDX-License-Identifier: BSD-3-Clause
 * A program whose ranks need what others send, for shares_test.sh: "ring" of the one before, "sum" of all,
 * "input" of rank 0, which reads it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, count = 1, sum = 0;
    char data[1000] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(argv[1], "ring") == 0) {
        int mine = rank + 1;
        MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 1, &count, 1, MPI_INT, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(argv[1], "sum") == 0) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        count = sum;
    } else {
        if (rank == 0 && scanf("%d", &count) != 1)
            count = 0;
        MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
