/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_trap_edges
 * about: -fnon-call-exceptions: loads and divisions have ways to handlers, which no correct program goes
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

#pragma GCC optimize("non-call-exceptions")
struct Counter {
    int *p;
    ~Counter() { *p += size; }
};

static int divided(int *a, int k)
{
    int result = 1;
    try {
        Counter c{&result};
        result += a[k] / k;
        if (a[k] > 20) throw k;
        result += a[k + 1] % k;
    } catch (int e) {
        result += 30 + e;
    }
    return result;
}

static void calls()
{
    int a[6] = {5, 9, 14, 19, 23, 40};
    for (int k = 1; k < 5; k++)
        send(divided(a, k));
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
