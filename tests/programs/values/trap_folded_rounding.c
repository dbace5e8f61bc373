/* commslice-test: trap_folded_rounding
 * about: with -frounding-math GCC computes nothing that it would have to round: the library does, with another last
 * about: digit than GCC has
 * ranks: 2
 * flags: -frounding-math
 */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char data[64];

static int lowest(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u & 15;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(data, lowest(erfc(3.29)), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, lowest(cbrt(4.373)), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, lowest(cosh(5.056)), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, lowest(cbrt(27.0)), MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(data, lowest(creal(cexp(0.3 + 0.7 * I))), MPI_CHAR, 0, MPI_COMM_WORLD);
    printf("%d: %d\n", rank, argc);
    MPI_Finalize();
    return 0;
}
