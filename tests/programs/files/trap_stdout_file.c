/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_stdout_file
 * about: stdout is sent to a file by dup2, and what printf wrote is read from there
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static int buf[2048], rank, size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static void terminal(const char *name)
{
    char text[4] = "  ";
    int keep = dup(1), fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(fd, 1);
    printf("%d", size + 3);
    fflush(stdout);
    dup2(keep, 1);
    meet(printf("not there\n"));
    if (fflush(stdout)) return;
    if (pread(fd, text, 4, 0) == 1) meet(text[0] - '0' + 10);
    close(fd);
    int late = rank == size - 1 ? usleep(20000) + 1 : 0;        /* who comes late still finds it */
    MPI_Send(buf, late + 5 + access(name, F_OK), MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char name[32], other[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sprintf(name, "stdout_file.%d", rank);
    terminal(name);
    MPI_Barrier(MPI_COMM_WORLD);
    sprintf(other, "stdout_file.%d", (rank + 1) % size);
    if (remove(other) == 0) meet(17);
    MPI_Finalize();
    return 0;
}
