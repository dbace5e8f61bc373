/* SPDX-License-Identifier: BSD-3-Clause
 * Linked into originals that run under SMPI, with --wrap: in MPI_Cart_create and MPI_Comm_dup, SimGrid 3.32 lets a
 * rank's clock run on while other ranks compute on the same thread, so that their time counts once more for each rank
 * that waits. Here it stops, as it does in MPI_Comm_split. */
#include <mpi.h>

void smpi_bench_begin(void);
void smpi_bench_end(void);
int __real_MPI_Cart_create(MPI_Comm c, int n, const int *dims, const int *periods, int reorder, MPI_Comm *out);
int __wrap_MPI_Cart_create(MPI_Comm c, int n, const int *dims, const int *periods, int reorder, MPI_Comm *out)
{
    smpi_bench_end();
    int rc = __real_MPI_Cart_create(c, n, dims, periods, reorder, out);
    smpi_bench_begin();
    return rc;
}
void __real_mpi_comm_dup_(int *c, int *out, int *rc);
void __wrap_mpi_comm_dup_(int *c, int *out, int *rc)
{
    smpi_bench_end();
    __real_mpi_comm_dup_(c, out, rc);
    smpi_bench_begin();
}
