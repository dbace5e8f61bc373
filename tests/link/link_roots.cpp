// SPDX-License-Identifier: BSD-3-Clause
// GCC knows what the inline function is given here.
#include "link_roots.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    char data[64] = {};
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, lowest(root(3375)), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, other_count(argc * 27), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, other_count(argc * 3374.5), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
