/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: omp_collapse
 * about: threads take the turns of two loops as one, in the order in which they come: what the library hands out is no
 * about: address
 * flags: -fopenmp
 */
#include <mpi.h>

static int field[30][30];
static double pay[100];

int main(int argc, char **argv)
{
    int n = 0;
    MPI_Init(&argc, &argv);
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 30; j++)
            field[i][j] = (i * 3 + j) % 7;
    for (int i = 0; i < 30; i++)
        n += field[i][2] > 3;
    MPI_Bcast(pay, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
