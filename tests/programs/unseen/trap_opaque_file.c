/* commslice-test: trap_opaque_file
 * about: code that the slicer cannot see reads a file that another rank has written, and writes one that another rank
 * about: reads
 * ranks: 2 3
 * opaque: unseen_count_file.c
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

/* 1: there is none. */
static int number_in(const char *name)
{
    int n = 1;
    FILE *f = fopen(name, "r");
    if (!f) return n;
    if (fscanf(f, "%d", &n) != 1) n = 2;
    fclose(f);
    return n;
}

/* To nobody: such messages keep no order. */
static void tell(int n)
{
    for (int i = 0; i < n; i++) MPI_Send(&n, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

/* Who shall be last sleeps, and so finds what it finds by order, not by luck. What usleep returns is used, so that the
 * slice sleeps as well. */
int main(int argc, char **argv)
{
    int rank, size, late, n;
    FILE *f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    late = rank == 0 ? usleep(20000) + 1 : 0;
    tell(number_in("count") + late);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1 && (f = fopen("count", "w"))) {
        tell(number_in("count"));
        fprintf(f, "%d\n", 4 + usleep(20000));
        fclose(f);
    }
    churn(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    late = rank == 0 ? usleep(30000) + 1 : 0;           /* who comes late reads it before it is written again */
    tell(count_in_file("count") + late);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) leave_count("count", 3 + usleep(20000));
    MPI_Barrier(MPI_COMM_WORLD);
    late = rank == size - 1 ? usleep(30000) + 1 : 0;    /* and before it is removed */
    n = number_in("count") + late;
    tell(n);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) tell(unlink("count") + 5);
    if (rank == 0) printf("%d %g\n", n, bath[999]);
    MPI_Finalize();
    return 0;
}
