/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_fd_position
 * about: what fgets reads and fprintf writes moves the descriptor behind the stream, whose position is a count
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    char name[32], line[16];
    int rank, fd, got = 0;
    FILE *f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sprintf(name, "fd_position.%d", rank);
    f = fopen(name, "w");
    for (int i = 0; i < 3 * size; i++)
        fputs("ab\n", f);
    fclose(f);
    fd = open(name, O_RDONLY);
    f = fdopen(fd, "r");
    got += fgets(line, sizeof line, f) != NULL;
    meet((int)lseek(fd, 0, SEEK_CUR));
    MPI_Barrier(MPI_COMM_WORLD);
    meet(unlink(name) + 20);        /* each rank has a file of its own */
    f = tmpfile();
    fprintf(f, "%0*d", size + 2, 1);
    fflush(f);
    meet((int)lseek(fileno(f), 0, SEEK_CUR));
    printf("%d\n", got);
    MPI_Finalize();
    return 0;
}
