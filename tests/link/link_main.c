/* SPDX-License-Identifier: BSD-3-Clause
 * mixed_test.sh: C calls C with the same static names, and Fortran.
 * The counts show which of the two functions get() was called. */
#include <mpi.h>

static int k = 1;
static int get(int n)
{
    return n + k;
}
extern int more(int);
extern void part_(int *);

int main(int argc, char **argv)
{
    int n;
    double d[99] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    k = n;
    MPI_Bcast(d, get(n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(d, more(n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    part_(&n);
    MPI_Finalize();
    return 0;
}
