/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: complex_product
 * about: MPI_Accumulate with MPI_PROD of complex numbers: the real part that is left depends on imaginary parts
 * ranks: 2 3 4
 */
#include <mpi.h>

static double field[256], halves[64];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double _Complex *turned, mine;
    __real__ mine = 1 + rank;
    __imag__ mine = -2 - rank % 2;
    MPI_Win win;
    MPI_Win_allocate(sizeof *turned, sizeof *turned, MPI_INFO_NULL, MPI_COMM_WORLD, &turned, &win);
    __real__ *turned = 1;
    __imag__ *turned = 3 + rank;
    MPI_Win_fence(0, win);
    MPI_Accumulate(&mine, 1, MPI_C_DOUBLE_COMPLEX, (rank + 1) % size, 0, 1, MPI_C_DOUBLE_COMPLEX, MPI_PROD, win);
    MPI_Win_fence(0, win);
    int tag = (int)__real__ *turned;
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
