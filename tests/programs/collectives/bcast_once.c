/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: bcast_once
 * about: the root may give up before a broadcast, which all come to from one call: only the part that is used after it
 * about: is computed
 * ranks: 2 3 4
 * gone: dye
 */
#include <mpi.h>
#include <stdio.h>

static void share(double *d, int n)
{
    MPI_Bcast(d, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

__attribute__((noinline)) static double dye(int n)
{
    double x = 1;
    for (int i = 0; i < n; i++) x = x * 0.75 + i;
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, more = 0;
    double d[4] = {0};
    char in[8] = {0}, out[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if (argc > 4) return 1;
        d[1] = 5 + argc;
        more = 1;
        d[3] = dye(100000);
    }
    share(d, 4);
    MPI_Sendrecv(in, (int)(d[0] + d[1] + d[2]) + more, MPI_CHAR, (rank + 1) % size, 0, out, 8, MPI_CHAR,
        (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) printf("%g\n", d[3]);
    MPI_Finalize();
    return 0;
}
