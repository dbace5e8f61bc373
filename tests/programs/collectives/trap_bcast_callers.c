/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_bcast_callers
 * about: one broadcast, called from one place by the root and from another by the others, who alone use what they get
 * ranks: 2 3
 */
#include <mpi.h>
#include <stddef.h>

static void share(int *p)
{
    MPI_Bcast(p, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        x = argc + 4;
        share(&x);
        for (int i = 0; i < 5 * (size - 1); i++) MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
    } else {
        share(&x);
        for (int i = 0; i < x; i++) MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
