/* commslice-test: built_names
 * about: orders from a file with a constant name; pictures and logs whose names are printed into a buffer: they are
 * about: other files, and what is written to them goes
 * ranks: 2 3
 * files: orders.txt=3\n1\n4\n1\n5\n9\n2\n6\n
 * gone: solve picture
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

static void picture(int rank, int step, double residual)
{
    char name[64], log[32];
    snprintf(name, sizeof name, "./step%04d.%d.dat", step, rank);
    sprintf(log, "log%d.txt", rank);
    FILE *f = fopen(name, "wb"), *g = fopen(log, step ? "a" : "w");
    if (f && g && fwrite(field, sizeof field[0], 16, f) == 16)
        fprintf(g, "wrote %s, residual %g\n", name, residual);
    if (f)
        fclose(f);
    if (g)
        fclose(g);
}

int main(int argc, char **argv)
{
    int rank, size, n, step = 0;
    double in[16];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *orders = fopen("orders.txt", "r");
    if (!orders)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (; fscanf(orders, "%d", &n) == 1; step++) {
        picture(rank, step, solve(step));
        MPI_Sendrecv(field, n, MPI_DOUBLE, (rank + 1) % size, step, in, 16, MPI_DOUBLE, (rank + size - 1) % size, step,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    fclose(orders);
    printf("rank %d: %d steps\n", rank, step);
    MPI_Finalize();
    return 0;
}
