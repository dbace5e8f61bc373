/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_stdio_fd
 * about: lseek on the descriptor of a stream moves where fgetc, fgets and fscanf read
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static int buf[2048], rank, size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static void places(const char *name)
{
    char line[16];
    int v = 0;
    FILE *f = fopen(name, "w");
    fprintf(f, "%d%d%d%d%d", 1, 2, 3, 4 + size, 5);
    fclose(f);
    f = fopen(name, "r");
    lseek(fileno(f), 3, SEEK_SET);
    meet(fgetc(f) - '0');
    fclose(f);
    f = fopen(name, "r");
    lseek(fileno(f), 2, SEEK_SET);
    if (fgets(line, sizeof line, f)) meet(line[0] - '0' + 20);
    fclose(f);
    f = fopen(name, "r");
    lseek(fileno(f), 4, SEEK_SET);
    if (fscanf(f, "%d", &v) == 1) meet(v);
    int late = rank == size - 1 ? usleep(20000) + 1 : 0;        /* who comes late still finds it */
    MPI_Send(buf, late + 5 + access(name, F_OK), MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    fclose(f);
}

int main(int argc, char **argv)
{
    char name[32], other[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sprintf(name, "stdio_fd.%d", rank);
    places(name);
    MPI_Barrier(MPI_COMM_WORLD);
    sprintf(other, "stdio_fd.%d", (rank + 1) % size);
    if (remove(other) == 0) meet(17);
    MPI_Finalize();
    return 0;
}
