/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_start_table
 * about: functions that run before main as the program has put them into the loader's table, some of them unnamed
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

static void one(void)
{
    order = 3 * order + 1;
}

static void two(void)
{
    order = 3 * order + 2;
}

static void three(void)
{
    order = 3 * order;
}

#define START __attribute__((section(".init_array")))

typedef void start(void);
START start *first = one;
static START __attribute__((used)) start *second = two;
__attribute__((constructor)) static void four(void)
{
    order = 3 * order + 4;
}

START start *third = three;
static START __attribute__((used)) start *fourth = one;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    MPI_Sendrecv_replace(field, order, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", order + (second == two));
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
