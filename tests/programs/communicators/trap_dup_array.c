/* commslice-test: trap_dup_array
 * about: duplicated and split communicators in an array, chosen by a received number
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

int main(int argc, char **argv)
{
    MPI_Comm comm[3];
    int pick, mine;
    double buf[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comm[1]);
    MPI_Comm_dup(comm[1], &comm[2]);
    mine = (2 * rank + 1) % 3;
    for (int i = 0; i < 4; i++) {
        int r, root = i % size;
        pick = mine;
        MPI_Bcast(&pick, 1, MPI_INT, root, comm[i % 2 * 2]);
        MPI_Comm_rank(comm[(pick + 1) % 3], &r);
        MPI_Bcast(buf, 4 + pick, MPI_DOUBLE, size - 1, comm[pick]);
        MPI_Sendrecv_replace(buf, 9 + pick, MPI_DOUBLE, (r + 1) % size, i, (r + size - 1) % size, i,
            comm[(pick + 1) % 3],
                             MPI_STATUS_IGNORE);
        mine = (pick + rank) % 3;
    }
    for (int i = 0; i < 3; i++)
        MPI_Comm_free(&comm[i]);
    printf("rank %d: %d\n", rank, mine);
    MPI_Finalize();
    return 0;
}
