/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_outside
 * about: code that the slicer does not see uses what a callback returns, and the pointer in a struct that it gets by
 * about: value
 * opaque: unseen_outside.c
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>

static int rank, size;
static double field[1 << 14];

static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

struct place { int *p; long value; };
void outside_set(int (*callback)(int));
int outside_run(int k);
void outside_write(struct place where);
static int state = 2, written = 1;

static int callback(int k)
{
    state += k;
    return 3 * state;
}

static void calls(void)
{
    outside_set(callback);
    send(outside_run(4));
    send(state);
    outside_write((struct place){ &written, size + 30 });
    send(written);
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
