/* commslice-test: control_payload
 * about: control messages beside payload on the same pair of ranks, with another tag; payload goes first
 * ranks: 2 3 4
 * gone: produce consume
 * array: cargo 64
 * marks: content=2
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)
enum { CONTROL = 1, PAYLOAD = 2 };

struct order { int count, more; };

static void produce(double *c, int n, int step)
{
    for (int i = step; i < n; i += 3)
        c[i] = (double)(i % 41) + step;
}

static double consume(const double *c, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += c[i];
    return s;
}

static int source(double *cargo, int to)
{
    struct order o = {8, 1};
    int steps = 0;
    while (o.more) {
        int next = o.count * 3 % 53 + 1;
        if (steps < 3)
            produce(cargo, N, steps);
        MPI_Send(cargo, o.count, MPI_DOUBLE, to, PAYLOAD, MPI_COMM_WORLD);
        o.count = next;
        o.more = next % 10 != 9;
        MPI_Send(&o, 2, MPI_INT, to, CONTROL, MPI_COMM_WORLD);
        steps++;
    }
    return steps;
}

static int sink(double *cargo, int from)
{
    struct order o = {8, 1};
    int steps = 0;
    while (o.more) {
        MPI_Recv(cargo, o.count, MPI_DOUBLE, from, PAYLOAD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&o, 2, MPI_INT, from, CONTROL, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        steps++;
    }
    return steps;
}

int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *cargo = calloc(N, sizeof *cargo);
    if (rank % 2 == 0 && rank + 1 < size)
        steps = source(cargo, rank + 1);
    else if (rank % 2)
        steps = sink(cargo, rank - 1);
    printf("rank %d: %d steps, %g\n", rank, steps, consume(cargo, N));
    free(cargo);
    MPI_Finalize();
    return 0;
}
