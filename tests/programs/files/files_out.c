/* commslice-test: files_out
 * about: a file is read in one function, other files are written in another, later: what they hold is nobody's business
 * ranks: 2 3
 * files: in.txt=100 5\n
 * files: bad.txt=70\n
 * gone: write_output smooth
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int n, steps;
__attribute__((noinline)) static void read_input(int rank, const char *name)
{
    int v[2] = {0};
    if (rank == 0) {
        FILE *f = fopen(name, "r");
        if (f) { if (fscanf(f, "%d %d", &v[0], &v[1]) != 2) v[0] = v[1] = 3; fclose(f); } else v[0] = v[1] = 4;
    }
    MPI_Bcast(v, 2, MPI_INT, 0, MPI_COMM_WORLD);
    n = v[0]; steps = v[1];
}
__attribute__((noinline)) static void smooth(double *a)
{
    for (int i = 1; i < n; i++) a[i] = a[i] * 0.5 + a[i - 1];
}

__attribute__((noinline)) static void write_output(const double *a, int t)
{
    char name[30];
    sprintf(name, "out.%d", t);
    FILE *f = fopen(name, "w");
    for (int i = 0; i < n; i++) fprintf(f, "%g\n", a[i]);
    fclose(f);
}
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_input(rank, "bad.txt");
    int tag = 100 * n + steps;
    read_input(rank, "none.txt");
    tag = tag * 5 + 10 * n + steps;
    read_input(rank, "in.txt");
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] = rank + i;
    for (int t = 0; t < steps; t++) {
        smooth(a);
        MPI_Sendrecv_replace(a, n, MPI_DOUBLE, (rank + 1) % size, tag, (rank + size - 1) % size, tag, MPI_COMM_WORLD,
            MPI_STATUS_IGNORE);
        if (rank == 0) write_output(a, t);
    }
    MPI_Finalize();
    return 0;
}
