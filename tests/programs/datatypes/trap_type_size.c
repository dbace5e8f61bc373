/* commslice-test: trap_type_size
 * about: counts computed from MPI_Type_size, Type_get_extent and Pack_size of types that depend on the number of ranks
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Datatype t, u;
    MPI_Aint lb, extent, tlb, textent;
    int bytes, packed;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(size + 2, MPI_SHORT, &t);
    MPI_Type_create_resized(t, -4, 48, &u);
    MPI_Type_commit(&u);
    MPI_Type_size(u, &bytes);
    MPI_Type_get_extent(u, &lb, &extent);
    MPI_Type_get_true_extent(u, &tlb, &textent);
    MPI_Pack_size(3, MPI_INT, MPI_COMM_WORLD, &packed);
    shift(bytes, 1, 1);
    shift((int)(extent + lb), 2, 1);
    shift((int)(textent - tlb), packed, 1);
    MPI_Type_free(&t);
    MPI_Type_free(&u);
    printf("rank %d: %d %d %d\n", rank, bytes, (int)extent, packed);
    MPI_Finalize();
    return 0;
}
