/* commslice-test: file_roundtrip
 * about: each rank writes a plan to a file and reads it back; text, binary and a seek decide counts
 * ranks: 2 3 4
 * gone: texture
 * array: bitmap 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N (8 * 1024 * 1024)

static double texture(double *b, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) {
        b[i] = (double)((i >> 3) % 61);
        s += b[i];
    }
    return s;
}

static int write_plan(const char *name, int rank, int size)
{
    FILE *f = fopen(name, "w");
    int bin[4];
    if (!f)
        return -1;
    for (int i = 0; i < 4; i++) {
        fprintf(f, "step %d count %d\n", i, 5 + i * (rank + 1));
        bin[i] = (size + i) * 2;
    }
    fputs("end\n", f);
    fwrite(bin, sizeof bin[0], 4, f);
    return fclose(f);
}

static int read_plan(const char *name, int count[8])
{
    char line[80];
    int n = 0, step;
    FILE *f = fopen(name, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f) && strcmp(line, "end\n"))
        if (sscanf(line, "step %d count %d", &step, &count[n]) == 2 && step == n)
            n++;
    long here = ftell(f);
    fseek(f, here + 2 * (long)sizeof(int), SEEK_SET);
    n += (int)fread(count + n, sizeof(int), 2, f);
    fclose(f);
    return n;
}

int main(int argc, char **argv)
{
    int rank, size, count[8] = {0}, n;
    char name[32];
    double in[256];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *bitmap = malloc(N * sizeof *bitmap), s = texture(bitmap, N);

    snprintf(name, sizeof name, "plan.%d", rank);
    if (write_plan(name, rank, size) || (n = read_plan(name, count)) < 0) {
        fprintf(stderr, "cannot use %s\n", name);
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    remove(name);
    for (int i = 0; i < n; i++)
        MPI_Sendrecv(bitmap, count[i], MPI_DOUBLE, (rank + 1) % size, i, in, 256, MPI_DOUBLE, (rank + size - 1) % size,
            i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("rank %d: %d lines, last %d, %g\n", rank, n, count[5], s);
    free(bitmap);
    MPI_Finalize();
    return 0;
}
