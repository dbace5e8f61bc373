/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: located
 * about: MPI_Accumulate with MPI_MAXLOC: the index that is left in a window depends on the numbers beside indices
 * ranks: 2 3 4
 */
#include <mpi.h>

struct best {
    double merit;
    int who;
};
static double field[256], halves[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct best *found, mine = {(rank * 7 + 3) % 5 - 2.0, 10 + rank};
    MPI_Win win;
    MPI_Win_allocate(sizeof *found, sizeof *found, MPI_INFO_NULL, MPI_COMM_WORLD, &found, &win);
    found->merit = -1.5;
    found->who = 5;
    MPI_Win_fence(0, win);
    MPI_Accumulate(&mine, 1, MPI_DOUBLE_INT, (rank + 1) % size, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, win);
    MPI_Win_fence(0, win);
    int tag = found->who;
    for (int i = 0; i < 256; i++)
        field[i] = field[i] * 0.5 + i;
    MPI_Request sent;
    MPI_Isend(field, tag, MPI_DOUBLE, (rank + 1) % size, tag, MPI_COMM_WORLD, &sent);
    MPI_Recv(halves, 64, MPI_DOUBLE, (rank + size - 1) % size, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
