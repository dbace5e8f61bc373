/* commslice-test: trap_fresh_content
 * about: what a call puts into memory that it makes itself (strdup, getline, a private mapping of a file) is one of the
 * about: two numbers that a value may be, and the other one is a constant
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static char buf[256];

static void meet(int count)
{
    MPI_Bcast(buf, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, none;
    char name[64], *line = NULL, *text = NULL;
    size_t room = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    none = argc > 5;
    char *copy = strdup(argc > 6 ? "b" : "a");
    meet(none ? 3 : copy[0]);
    if (asprintf(&text, "%c", argc > 6 ? 'd' : 'c') < 0) return 1;
    meet(none ? 4 : text[0]);
    snprintf(name, sizeof name, "fresh.%d", rank);
    FILE *f = fopen(name, "w+");
    if (!f) return 1;
    fputs("efg\n", f);
    rewind(f);
    if (getline(&line, &room, f) < 0) return 1;
    meet(none ? 5 : line[0]);
    int fd = open(name, O_RDONLY);
    char *at = mmap(NULL, 4, PROT_READ, MAP_PRIVATE, fd, 0);
    meet(at == MAP_FAILED ? 6 : at[1]);
    munmap(at, 4);
    close(fd);
    fclose(f);
    unlink(name);
    free(copy), free(text), free(line);
    MPI_Finalize();
    return 0;
}
