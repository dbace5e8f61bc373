/* commslice-test: trap_tag_from_msg
 * about: the content of each message is the tag of the next; a dead message has the tag that a live one had before
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int right, left, next = 7, mine, junk = 0, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    for (int i = 0; i < 6; i++) {
        int tag = next, far;
        mine = (next * 5 + 3) % 17;
        /* everybody computes the same number, but only the message says so */
        MPI_Sendrecv(&mine, 1, MPI_INT, right, tag, &far, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&junk, 1, MPI_INT, right, tag, &got, 1, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        junk += got + rank;
        next = far;
        shift(next + 1, tag, 1);
    }
    printf("rank %d: %d %d\n", rank, next, junk);
    MPI_Finalize();
    return 0;
}
