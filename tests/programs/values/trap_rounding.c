/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_rounding
 * about: one division twice, rounded down and up: whether the results differ decides
 * ranks: 2 3
 */
#include <mpi.h>
#include <fenv.h>

/* Loaded for each division: gcc takes two of the same values for one. */
static volatile double x = 1, y = 3;

__attribute__((noinline)) static double enclose(double *above)
{
    volatile double low, high;      /* so that it is done before the next call */
    fesetround(FE_DOWNWARD);
    low = x / y;
    fesetround(FE_UPWARD);
    high = x / y;
    fesetround(FE_TONEAREST);
    *above = high;
    return low;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    static const double by[] = { 4, 10, 3 };
        /* the first is exact, the second is rounded up to the nearest, the third down */
    int n = 1;
    for (int i = 0; i < 3; i++) {
        y = by[i];
        double high, low = enclose(&high);
        n += low < high ? 3 : 1;
    }
    if (x / y * 3 == argc) n++;
    for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
