/* commslice-test: trap_opaque_file
 * about: code that the slicer cannot see reads a file that another rank has written, and writes one that another rank reads
 * ranks: 2 3
 * opaque: count_file.c
 * gone: churn
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int count_in_file(const char *name);
void leave_count(const char *name, int n);

static double bath[1000];

__attribute__((noinline)) static void churn(int rank)
{
    for (int i = 0; i < 1000; i++) bath[i] = bath[i * 7 % 1000] * 1.5 + i + rank;
}

int main(int argc, char **argv)
{
    int rank, size, n = 1, load = 0;
    FILE *f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == size - 1 && (f = fopen("count", "w"))) {
        usleep(20000);
        fprintf(f, "%d\n", 4);
        fclose(f);
    }
    churn(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) usleep(20000);               /* who comes late reads it before it is written again */
    for (int i = count_in_file("count"); i > 0; i--) MPI_Bcast(&load, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) leave_count("count", 3);
    MPI_Barrier(MPI_COMM_WORLD);
    if ((f = fopen("count", "r"))) {
        if (fscanf(f, "%d", &n) != 1) n = 1;
        fclose(f);
    }
    for (int i = 0; i < n; i++) MPI_Allreduce(MPI_IN_PLACE, &load, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) unlink("count");
    if (rank == 0) printf("%d %g\n", n, bath[999]);
    MPI_Finalize();
    return 0;
}
