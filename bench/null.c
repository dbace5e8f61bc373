/* SPDX-License-Identifier: BSD-3-Clause
 * The program that does nothing but be there together: what ranks cost.
 * Built as a slice its barrier is not marked; as an instrumented original (mode=original) it is a real one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
