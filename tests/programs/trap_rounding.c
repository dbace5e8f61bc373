/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_rounding
 * about: one division twice, rounded down and up: the results differ, and that decides
 * ranks: 2 3
 */
#include <mpi.h>
#include <fenv.h>

static double x = 1, y = 3;

__attribute__((noinline)) static double enclose(double a, double b, double *above)
{
    double low, high;
    fesetround(FE_DOWNWARD);
    low = a / b;
    fesetround(FE_UPWARD);
    high = a / b;
    fesetround(FE_TONEAREST);
    *above = high;
    return low;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double high, low = enclose(x * argc, y, &high);
    int n = low < high ? 3 : 1;
    if (x * argc / y * 3 == argc) n++;
    for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
