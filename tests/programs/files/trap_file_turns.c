/* commslice-test: trap_file_turns
 * about: ranks take turns with one file: it appears, is read, is overwritten and goes; barriers in a function, a token,
 * about: a gather and a wait keep the order
 * ranks: 2 3 4
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static int rank, size;
static int load;         /* what messages carry: nobody looks at it */

static void sync_all(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* From the first rank to the last, each after the one before. */
static void token(void)
{
    MPI_Request r;
    if (rank > 0) {
        MPI_Irecv(&load, 1, MPI_INT, rank - 1, 9, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    if (rank < size - 1) MPI_Ssend(&load, 1, MPI_INT, rank + 1, 9, MPI_COMM_WORLD);
}

static int flagged(void)
{
    return access("flag", F_OK) == 0 ? 3 : 1;
}

static void put(int number)
{
    FILE *f = fopen("number", "w");
    if (!f) return;
    fprintf(f, "%d", number);
    fclose(f);
}

static int get(const char *name)
{
    FILE *f = fopen(name, "r");
    int number;
    if (!f) return 7;
    if (fscanf(f, "%d", &number) != 1) number = 9;
    fclose(f);
    return number;
}

/* The file need not hold anything. */
static void existence(void)
{
    if (rank == size - 1) close(open("flag", O_CREAT | O_WRONLY | O_TRUNC, 0644));
    sync_all();
    for (int i = flagged(); i > 0; i--) MPI_Allreduce(MPI_IN_PLACE, &load, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = get("flag"); i > 0; i--) MPI_Send(&load, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    sync_all();
    if (rank == size - 1) unlink("flag");
    sync_all();
    for (int i = flagged(); i > 0; i--) MPI_Bcast(&load, 1, MPI_INT, 0, MPI_COMM_WORLD);
    sync_all();
}

/* Who shall be last sleeps, and so finds what it finds by order, not by luck. What usleep returns is used, so that the
 * slice sleeps as well. */
static void content(void)
{
    int all[16], late;
    MPI_Request r;
    if (rank == 0) put(4);
    token();
    late = rank > 0 ? usleep(60000) + 1 : 0;
    for (int i = get("number") + late; i > 0; i--) MPI_Send(&load, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
        /* all have read it before it is overwritten */
    if (rank == 0) put(2 + usleep(20000));
    MPI_Ibcast(&load, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    for (int i = get("number"); i > 0; i--) MPI_Send(&load, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
    sync_all();
    if (rank == 0) unlink("number");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    existence();
    content();
    if (rank == 0) printf("%d ranks took turns\n", size);
    MPI_Finalize();
    return 0;
}
