/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: file_order
 * about: ranks look for files again and again before they send, and rank 0 makes these one after the other: who is
 * about: first is received first, from any source
 * ranks: 2 3 4
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static char name[40], data[100];

static bool is_there(int turn)
{
    sprintf(name, "turn%d.file", turn);
    FILE *f = fopen(name, "r");
    if (!f) return false;
    fclose(f);
    return true;
}

static void let(int turn)
{
    sprintf(name, "turn%d.file", turn);
    FILE *f = fopen(name, "w");
    if (!f) MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(f);
}

int main(int argc, char **argv)
{
    int rank, size, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int turn = 1; rank == 0 && turn < size; turn++) { /* those of an earlier run */
        sprintf(name, "turn%d.file", turn);
        remove(name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int turn = 1; turn < size; turn++) {
            MPI_Status status;
            let(turn);
            MPI_Recv(data, 8, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
            n += status.MPI_SOURCE * turn;
        }
    } else {
        while (!is_there(size - rank))
            usleep(500);
        MPI_Send(data, 8, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, 10 + n, MPI_CHAR, 0, MPI_COMM_WORLD);
    printf("%d\n", n);
    MPI_Finalize();
}
