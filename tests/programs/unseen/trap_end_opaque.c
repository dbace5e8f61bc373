/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_end_opaque
 * about: code that the slicer cannot see ends the run well, and does not return
 * ranks: 2 3
 * checker-ranks: 9
 * opaque: unseen_finish.c
 */
#include <mpi.h>

extern void finish(void) __attribute__((noreturn));
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 1; k < 9; k++) {
        meet(k);
        if (k == size) finish();
    }
    meet(90);
    MPI_Finalize();
    return 0;
}
