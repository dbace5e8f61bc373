/* commslice-test: trap_cfi_extents
 * about: a descriptor that C makes for Fortran with CFI_establish: its extents, read from an array, decide a count
 * ranks: 2
 * flags: -Wl,--no-as-needed,-lgfortran
 * SPDX-License-Identifier: BSD-3-Clause */
#include <ISO_Fortran_binding.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static double data[20];
    CFI_CDESC_T(2) field;
    CFI_cdesc_t *d = (CFI_cdesc_t *)&field;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CFI_index_t extents[2] = {3, 5};
    CFI_establish(d, data, CFI_attribute_other, CFI_type_double, 0, 2, extents);
    int count = (int)(d->dim[0].extent * d->dim[1].extent);
    MPI_Bcast(data, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("rank %d sent %d\n", rank, count);
    MPI_Finalize();
    return 0;
}
