/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_failed_write
 * about: turns that are not alike, as a call of MPI that fails, and comes back, writes nothing
 * args: 40
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double field[64] = {0};
    int n = 6, size = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (argc > 1)
        sscanf(argv[1], "%d", &n);
    for (int i = 0; i < n; i++) {
        MPI_Type_size(n > 100 ? MPI_INT : MPI_DATATYPE_NULL, &size);
        MPI_Bcast(field, size & 31, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        size = size % 5 + 1; /* alike only after five turns */
    }
    MPI_Finalize();
    return 0;
}
