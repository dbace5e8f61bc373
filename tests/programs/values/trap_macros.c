/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_macros
 * about: what the compiler says of itself in macros, such as __NO_INLINE__ and __OPTIMIZE__, decides counts
 * ranks: 2
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static char data[100];
    int n = 1;
#ifdef __NO_INLINE__
    n += 2;
#endif
#ifdef __OPTIMIZE__
    n += 4;
#endif
#ifdef __OPTIMIZE_SIZE__
    n += 8;
#endif
#ifdef __FAST_MATH__
    n += 16;
#endif
#if defined __PIC__ || defined __PIE__
    n += 32;
#endif
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, n + atoi("3"), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
