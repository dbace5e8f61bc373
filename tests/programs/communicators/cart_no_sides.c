/* SPDX-License-Identifier: BSD-3-Clause */
/* commslice-test: cart_no_sides
   about: MPI_Cart_sub without a remaining dimension: rank 0 alone gets a communicator, and the others get none
   ranks: 2 4 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int size, remain = 0, periods = 0;
    MPI_Comm grid, part;
    char field[8] = "sides";
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &grid);
    MPI_Cart_sub(grid, &remain, &part);
    int got = part != MPI_COMM_NULL, all = 0;
    MPI_Allreduce(&got, &all, 1, MPI_INT, MPI_SUM, grid);
    MPI_Bcast(field, all == 1 ? 5 : 2, MPI_CHAR, 0, grid);
    if (got)
        MPI_Comm_free(&part);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
