/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_opaque_variable
 * about: variables of code without a body here, mpi in their names: it writes a count through one, another receives a
 * about: count
 * opaque: unseen_simpi_table.c
 * ranks: 2 3
 * gone: heat
 */
#include <mpi.h>
#include <stdio.h>

extern int *simpi_table;
extern int simpi_first[2];
void simpi_fill(void);

static int count = 2;
static double field[1 << 16];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 16) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

int main(int argc, char **argv)
{
    int rank, size;
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[1 << 8] = rank + 1;
    heat();
    simpi_table = &count;
    simpi_fill();
    int first[2] = { 3 + size, 1 };
    MPI_Scatter(first, 1, MPI_INT, simpi_first, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Bcast(field, simpi_first[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    for (int i = 0; i < 1 << 16; i++)
        sum += field[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.6f\n", all);
    MPI_Finalize();
    return 0;
}
