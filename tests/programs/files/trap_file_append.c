/* commslice-test: trap_file_append
 * about: how long a file is that the program wrote: told by the position at the end of a stream that only writes
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void meet(long n)
{
    int all[64];
    for (int i = 0; i < 64; i++)
        all[i] = rank + i;
    MPI_Bcast(all, (int)(1 + n % 60), MPI_INT, 0, MPI_COMM_WORLD);
}

static void put(const char *name, int n)
{
    FILE *f = fopen(name, "w");
    if (!f)
        exit(1);
    for (int i = 0; i < n; i++)
        fputc('a' + i, f);
    fclose(f);
}

static long by_stream(const char *name)
{
    FILE *f = fopen(name, "a");
    if (!f || fseek(f, 0, SEEK_END))
        exit(1);
    long n = ftell(f);
    fclose(f);
    return n;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        put("first", 17);
    MPI_Barrier(MPI_COMM_WORLD);
    meet(by_stream("first"));
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
