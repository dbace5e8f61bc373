/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_exit_status
 * about: a handler of on_exit communicates by the exit status, of exit() and of a return from main, zero or not
 * ranks: 2 3
 * args: 5
 * flags: -D_DEFAULT_SOURCE
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double field[4096];
static int steps;

/* What the run leaves behind depends on how it ended. */
static void finish(int status, void *which)
{
    MPI_Comm comm = *(MPI_Comm *)which;
    int worst = 0;
    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, comm);
    for (int i = 0; i < worst; i++)
        MPI_Bcast(field, 64 * (i + 1) + status, MPI_DOUBLE, 0, comm);
    if (worst == 3)
        MPI_Barrier(comm);
    MPI_Finalize();
    fflush(stdout);
    _exit(0); /* the runner takes no other */
}

static double relax(int k)
{
    double sum = 0;
    for (int i = 0; i < 4096; i++)
        sum += field[i] = field[i] * 0.5 + (i ^ k);
    return sum;
}

/* More steps than the user allows: an end of its own. */
static void give_up(int limit)
{
    if (steps > limit)
        exit(3);
}

int main(int argc, char **argv)
{
    static MPI_Comm world = MPI_COMM_WORLD;
    int rounds = argc > 1 ? atoi(argv[1]) : 4, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(world, &size);
    on_exit(finish, &world);
    for (steps = 0; steps < rounds; steps++) {
        double sum = relax(steps), all;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, world);
        give_up(size == 3 ? 3 : 100);
    }
    return rounds / 2;
}
