/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_start_order
 * about: functions that run before main, with one priority: in the order of the source, also where link-time
 * about: optimisation turns it around
 * ranks: 2 3
 * gone: heat
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size, order;
static double field[1 << 14];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

__attribute__((constructor)) static void first(void)
{
    order = 10 * order + 1;
}

__attribute__((constructor)) static void second(void)
{
    order = 10 * order + 2;
}

__attribute__((constructor(200))) static void early(void)
{
    order = 10 * order + 3;
}

__attribute__((constructor)) void third(void)
{
    order = 10 * order + 4;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    MPI_Sendrecv_replace(field, order, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", order);
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
