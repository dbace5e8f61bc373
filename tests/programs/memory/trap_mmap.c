/* commslice-test: trap_mmap
 * about: a file is changed through a shared mapping and then read with read()
 * ranks: 2 3
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
    int rank, size, n = 2, late; double a[64] = {0}; char name[64], other[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "map.%d", rank);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (write(fd, name, 3) != 3 || ftruncate(fd, 4096)) return 1;
    int *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    p[0] = 11 + 2;
    msync(p, 4096, MS_SYNC);
    munmap(p, 4096);
    lseek(fd, 0, SEEK_SET);
    if (read(fd, &n, sizeof n) != sizeof n) return 1;
    MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    late = rank == size - 1 ? usleep(20000) + 1 : 0;                    /* who comes late still finds it */
    MPI_Send(a, late + 5 + access(name, F_OK), MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    close(fd);
    snprintf(other, sizeof other, "map.%d", (rank + 1) % size);
    MPI_Bcast(a, 5 + unlink(other), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize(); return 0;
}
