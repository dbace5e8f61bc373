/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_end_handler
 * about: exit(0) before MPI_Finalize, which an exit handler calls: the function of the library itself
 * ranks: 2 3
 * checker-ranks: 9
 */
#include <mpi.h>
#include <stdlib.h>
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    atexit((void (*)(void))(void *)MPI_Finalize);
    for (int k = 1; k < 9; k++) {
        meet(k);
        if (k == size) exit(0);
    }
    meet(77);
    return 0;
}
