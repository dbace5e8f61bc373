/* commslice-test: trap_start
 * about: constructors with priorities and a function in .init_array decide a count
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
static int n = 1;
__attribute__((constructor(201))) static void b(void) { n = n * 3 + 1; }
__attribute__((constructor(102))) static void a0(void) { n = n + 4; }
__attribute__((constructor)) static void c(void) { n = n * 2; }
static void init_arr(void) { n += 1; }
__attribute__((section(".init_array.00150"), used)) static void (*ia)(void) = init_arr;
int main(int argc, char **argv)
{
    int rank; double a[640] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
