/* commslice-test: file_log
 * about: a parser that logs what it reads; a solver whose residual goes to a log, while a file of orders is read in the
 * about: same loop: the solver and what it writes go
 * ranks: 2 3
 * files: orders.txt=3\n1\n4\n1\n5\n9\n2\n6\n
 * gone: solve report
 * array: field 16
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (2 * 1024 * 1024)
static double field[N];

static double solve(int step)
{
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        field[i] = 0.5 * field[i] + (i ^ step) % 31;
        sum += field[i];
    }
    return sum / N;
}

static void report(FILE *log, int step, double residual)
{
    fprintf(log, "step %d residual %g\n", step, residual);
    fflush(log);
}

/* Reads one stream and writes another. */
static int next_order(FILE *in, FILE *log)
{
    int n = 0;
    if (fscanf(in, "%d", &n) != 1)
        return 0;
    fprintf(log, "order %d\n", n);
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, n;
    double in[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *orders = fopen("orders.txt", "r");
    FILE *log = fopen(rank % 2 ? "odd.log" : "even.log", "w");
    if (!orders || !log)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int step = 0; (n = next_order(orders, log)) > 0; step++) {
        double residual = solve(step);
        report(log, step, residual);
        MPI_Sendrecv(field, n, MPI_DOUBLE, (rank + 1) % size, step, in, 16, MPI_DOUBLE, (rank + size - 1) % size, step,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    fclose(log);
    fclose(orders);
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
