/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_first_loop
 * about: functions that begin with a loop: at -O0 their entry is where the loop comes back to
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

static int doubled(int n)
{
    for (;;) {
        if (n > 10) return n;
        n *= 2;
        if (n % 7 == 0) break;
    }
    return n + 100;
}

static int moved(int n)
{
    int *p = &n;
top:
    *p += 3;
    if (n % 5) goto top;
    return n;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    for (int n = size; n < size + 6; n++) {
        send(doubled(n));
        send(moved(n));
    }
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
