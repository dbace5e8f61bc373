/* SPDX-License-Identifier: BSD-3-Clause
 * Uses an instance that another file makes: the constructor is called by one name there, and is the body of another. */
#include <mpi.h>

#include "link_box.h"

int main(int argc, char **argv)
{
    static char data[100];
    MPI_Init(&argc, &argv);
    Box<int> b(argc + 3);
    MPI_Bcast(data, b.size(), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
