/* SPDX-License-Identifier: BSD-3-Clause
 * Tight loops of MPI calls on one rank; prints a line "name events nanoseconds-per-event" for each kind of loop.
 * record-cost.sh runs it with and without recording. CPU time is taken: other load on the machine does not count. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static char buf[4096];
static double value, sum;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The easiest case: the same call again and again. */
static int same_send(int i)
{
    (void)i;
    MPI_Send(buf, 8, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    return 1;
}

/* The hardest: counts and tags without any pattern, which cannot be folded. */
static int random_send(int i)
{
    uint32_t x = (uint32_t)i * 2654435761u;
    MPI_Send(buf, (int)(x >> 20), MPI_BYTE, MPI_PROC_NULL, (int)(x >> 8 & 1023), MPI_COMM_WORLD);
    return 1;
}

/* A time step of a stencil: two neighbours, a wait for all. */
static int stencil(int i)
{
    MPI_Request r[4];
    MPI_Status done[4];
    (void)i;
    for (int k = 0; k < 2; k++) {
        MPI_Irecv(buf, 512, MPI_BYTE, MPI_PROC_NULL, k, MPI_COMM_WORLD, &r[2 * k]);
        MPI_Isend(buf, 512, MPI_BYTE, MPI_PROC_NULL, k, MPI_COMM_WORLD, &r[2 * k + 1]);
    }
    MPI_Waitall(4, r, done);
    return 5;
}

/* Messages that really move, from the rank to itself. */
static int self_message(int i)
{
    MPI_Request r;
    (void)i;
    MPI_Irecv(buf, 64, MPI_BYTE, 0, 3, MPI_COMM_SELF, &r);
    MPI_Send(buf + 2048, 64, MPI_BYTE, 0, 3, MPI_COMM_SELF);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    return 3;
}

static int allreduce(int i)
{
    (void)i;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    return 1;
}

static void run(const char *name, int (*body)(int), int rounds)
{
    long events = 0;
    for (int i = 0; i < rounds / 10; i++)
        body(i);
    double start = cpu_seconds();
    for (int i = 0; i < rounds; i++)
        events += body(i);
    printf("%s %ld %.1f\n", name, events, (cpu_seconds() - start) * 1e9 / (double)events);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? atoi(argv[1]) : 1000000;
    run("same-send", same_send, n);
    run("random-send", random_send, n);
    run("stencil", stencil, n / 5);
    run("self-message", self_message, n / 3);
    run("allreduce", allreduce, n);
    MPI_Finalize();
    return 0;
}
