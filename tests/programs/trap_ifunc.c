/* commslice-test: trap_ifunc
 * about: the address of a name that is resolved at the start is passed around and kept in a table
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
static int two(int x) { return 2 * x; }
static int three(int x) { return 3 * x + 1; }
static int state;
static int (*pick(void))(int) { return state ? two : three; }
int scale(int) __attribute__((ifunc("pick")));
static int apply(int (*f)(int), int x) { return f(x); }
int (*table[2])(int) = { scale, two };
int main(int argc, char **argv)
{
    int rank; double a[640] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(a, apply(scale, 4), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(a, table[rank >= 0 ? 0 : 1](5), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
