/* commslice-test: trap_no_read_back
 * about: nothing is read back, but what the program makes decides communication otherwise: whether a file can be
 * about: removed, renamed, or made in a folder; a folder's list, mapped memory
 * ranks: 2 3
 * args: mark
 * assume: no-read-back
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dirent.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank, size;

static void meet(int n)
{
    int all[64];
    for (int i = 0; i < 64; i++)
        all[i] = rank + i;
    MPI_Bcast(all, 1 + n % 60, MPI_INT, 0, MPI_COMM_WORLD);
}

static void put(const char *name)
{
    FILE *f = fopen(name, "w");
    if (f)
        fclose(f);
}

static void removed(const char *name)
{
    if (size % 2 == 0)
        put(name);
    meet(unlink(name) == 0 ? 7 : 9);
    if (size % 2 == 0)
        put(name);
    meet(remove(name) == 0 ? 11 : 13);
}

static void renamed(const char *name)
{
    char other[64];
    snprintf(other, sizeof other, "%s.other", name);
    put(name);
    meet(rename(name, other) == 0 ? 15 : 17);
    meet(rename(name, other) == 0 ? 19 : 21);
}

static void in_folder(const char *name)
{
    char folder[64], file[100];
    int n = 0;
    snprintf(folder, sizeof folder, "%s.folder", name);
    snprintf(file, sizeof file, "%s/leaf", folder);
    mkdir(folder, 0777);
    FILE *f = fopen(file, "w");
    meet(f ? 23 : 25);
    if (f)
        fclose(f);
    DIR *d = opendir(folder);
    while (d && readdir(d))
        n++;
    meet(20 + n);
    if (d)
        closedir(d);
}

static void mapped(const char *name)
{
    char file[64];
    int number = 31;
    snprintf(file, sizeof file, "%s.map", name);
    int fd = open(file, O_RDWR | O_CREAT, 0666);
    if (fd < 0 || write(fd, &number, sizeof number) != (ssize_t)sizeof number)
        exit(1);
    int *at = mmap(NULL, sizeof number, PROT_READ, MAP_SHARED, fd, 0);
    meet(at == MAP_FAILED ? 1 : *at);
    close(fd);
}

int main(int argc, char **argv)
{
    char own[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(own, sizeof own, "%s.%d", argc > 1 ? argv[1] : "x", rank);
    removed(own);
    renamed(own);
    in_folder(own);
    mapped(own);
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
