/* commslice-test: no_read_back
 * about: a deck of orders and logs whose names come from the command line: a log may be the deck, unless the user says
 * about: that nothing is read back; then the solver goes, whose residual is written
 * ranks: 2 3
 * args: orders.txt history step
 * files: orders.txt=3\n1\n4\n1\n5\n9\n2\n6\n
 * assume: no-read-back
 * gone: solve report snapshot
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

static void report(const char *name, int rank, int step, double residual)
{
    char full[256];
    snprintf(full, sizeof full, "%s.%d", name, rank);
    FILE *log = fopen(full, step ? "a" : "w");
    if (!log)
        return;
    fprintf(log, "step %d residual %g\n", step, residual);
    fclose(log);
}

/* Writes to a file beside it, which then gets its name. */
static void snapshot(const char *name, int rank, int step)
{
    char full[256], young[256];
    snprintf(full, sizeof full, "%s.%d.%d", name, step, rank);
    snprintf(young, sizeof young, "%s.new", full);
    FILE *f = fopen(young, "wb");
    if (!f)
        return;
    if (fwrite(field, sizeof field[0], 64, f) != 64)
        fprintf(stderr, "%s: too short\n", young);
    fclose(f);
    rename(young, full);
}

int main(int argc, char **argv)
{
    int rank, size, n, step = 0;
    double in[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    FILE *orders = fopen(argv[1], "r");
    if (!orders)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (; fscanf(orders, "%d", &n) == 1; step++) {
        double residual = solve(step);
        report(argv[2], rank, step, residual);
        snapshot(argv[3], rank, step);
        MPI_Sendrecv(field, n, MPI_DOUBLE, (rank + 1) % size, step, in, 16, MPI_DOUBLE, (rank + size - 1) % size, step,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    fclose(orders);
    printf("rank %d: %d steps\n", rank, step);
    MPI_Finalize();
    return 0;
}
