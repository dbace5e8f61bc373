/* commslice-test: trap_realloc_zero
 * about: realloc to a size that was received may be 0, and then gives null: what a program does for a list that is
 * about: empty
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static int *resized(int *list, int n) { return realloc(list, (size_t)n * sizeof *list); }

int main(int argc, char **argv)
{
    int *list = calloc(4, sizeof *list), n = 3, sum = 0, out[8] = {0}, in[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 6; step++) {
        if (rank == 0)
            n = 3 - step % 4;
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
        list = resized(list, n);
        if (!list)
            MPI_Sendrecv(out, 2, MPI_INT, (rank + 1) % size, step, in, 8, MPI_INT, (rank + size - 1) % size, step,
                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            for (int i = 0; i < n; i++)
                sum += list[i] = i;
    }
    printf("rank %d: %d\n", rank, sum);
    free(list);
    MPI_Finalize();
    return 0;
}
