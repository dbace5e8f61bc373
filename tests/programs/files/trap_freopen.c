/* commslice-test: trap_freopen
 * about: a stream that was opened to be read is opened anew to be written, and standard output becomes a file; both
 * about: decide counts
 * ranks: 2 3
 * files: text.txt=none\n
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int number_in(const char *name)
{
    int n = 1;
    FILE *f = fopen(name, "r");
    if (!f) return 1;
    if (fscanf(f, "%d", &n) != 1) n = 9;
    fclose(f);
    return n;
}

/* Sleeps, in the slice as well, as what usleep returns is a part of a count. */
static void late(unsigned us)
{
    MPI_Send(&us, usleep(us) + 1, MPI_UNSIGNED, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

/* The last rank writes, all read. */
static void anew(int rank, int size, const char *name)
{
    if (rank == size - 1) {
        FILE *f = fopen(name, "w");
        if (f) fclose(f);
        f = fopen(name, "r");
        if (f && (f = freopen(name, "w", f))) {
            fprintf(f, "%d\n", 5);
            fclose(f);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1) late(30000);
    for (int i = number_in(name); i > 0; i--) MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        late(20000);
        unlink(name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = number_in(name); k > 0; k--) MPI_Barrier(MPI_COMM_WORLD);
}

static void output(int rank)
{
    char name[32];
    sprintf(name, "output.%d", rank);
    if (freopen(name, "w", stdout)) {
        printf("%d\n", 4);
        fflush(stdout);
    }
    for (int i = number_in(name); i > 0; i--) MPI_Allreduce(MPI_IN_PLACE, &rank, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    int own = unlink(name) == 0;                /* each rank has a file of its own */
    for (int i = own + number_in(name) + number_in("text.txt"); i > 0; i--) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    anew(rank, size, "no_such_folder/anew");
    anew(rank, size, "anew");
    output(rank);
    MPI_Finalize();
    return 0;
}
