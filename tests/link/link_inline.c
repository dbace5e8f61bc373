/* SPDX-License-Identifier: BSD-3-Clause
 * Message lengths from inline functions that have no external definition, called in place and through a pointer. */
#include "link_inline.h"

#include <mpi.h>

int table[16];

int main(int argc, char **argv)
{
    int buffer[32] = {0};
    int (*volatile len)(int) = even_len;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 16; i++)
        table[i] = i * i % 9;
    for (int step = 0; step < 6; step++)
        MPI_Bcast(buffer, odd_len(step) + len(step) + other_len(step), MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return buffer[0];
}
