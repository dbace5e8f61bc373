/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_init_range
 * about: an array whose elements all have the same initial value: functions and numbers
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
static double field[1 << 14];

extern "C" {
static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

static int more;

static int three()
{
    return 3 + more;
}

struct Entry {
    int (*call)();
    int number;
    constexpr Entry() : call(three), number(6) {}
};

static Entry table[100];
static int chosen = 40;

static void calls()
{
    more = size;
    send(table[70].call());
    send(table[chosen].call() + 1);
    send(table[99].number);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    calls();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
