/* SPDX-License-Identifier: BSD-3-Clause
 * For bench/monitor.sh: a loop of items that sleep or compute, handed out by libcommslice-balance. Prints the seconds
 * of the loop, and those of the processor that its ranks took.
 *
 *     monitor-items sleep|compute TECHNIQUE WAY ITEMS MICROSECONDS [FILE [FACTOR]]
 *         rank 1 writes its process number into FILE; its items take FACTOR times as long
 *     monitor-items throttle PID SECONDS
 *         stops that process half of the time, from so many seconds on, while it lives */
#define _GNU_SOURCE 1
#include <commslice-balance.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double item_seconds;
static volatile double sink;

static void sleep_for(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

static void sleep_items(int64_t first, int64_t count, void *state)
{
    for (int64_t i = 0; i < count; i++)
        sleep_for(item_seconds);
}

/* A microsecond is some 1000 additions: as many whoever else is at the processor. */
static void compute_items(int64_t first, int64_t count, void *state)
{
    long turns = (long)(1e9 * item_seconds);
    for (int64_t i = 0; i < count; i++)
        for (long k = 0; k < turns; k++)
            sink += 1;
}

static int throttle(int pid, double from)
{
    sleep_for(from);
    while (kill(pid, SIGSTOP) == 0) {
        sleep_for(0.01);
        kill(pid, SIGCONT);
        sleep_for(0.01);
    }
    return 0;
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int rank;
    struct cs_balancer *b;
    int64_t first, count;
    if (argc == 4 && strcmp(argv[1], "throttle") == 0)
        return throttle(atoi(argv[2]), atof(argv[3]));
    if (argc < 6)
        return 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *f = rank == 1 && argc > 6 ? fopen(argv[6], "w") : NULL;
    cs_balance_body *body = strcmp(argv[1], "sleep") == 0 ? sleep_items : compute_items;
    struct cs_balance_options o = {.technique = argv[2], .way = argv[3]};
    int64_t items = atoll(argv[4]);
    item_seconds = 1e-6 * atof(argv[5]) * (rank == 1 && argc > 7 ? atof(argv[7]) : 1);
    if (cs_balance_setup(MPI_COMM_WORLD, &o, &b))
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (f) {
        fprintf(f, "%d\n", (int)getpid());
        fclose(f);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime(), used = processor_time(), most, sum;
    if (cs_balance_start_loop(b, items))
        MPI_Abort(MPI_COMM_WORLD, 2);
    while (cs_balance_start_chunk(b, &first, &count)) {
        body(first, count, NULL);
        cs_balance_end_chunk(b);
    }
    cs_balance_end_loop(b, NULL);
    double took = MPI_Wtime() - began;
    used = processor_time() - used;
    MPI_Reduce(&took, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&used, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    cs_balance_finish(&b);
    if (rank == 0)
        printf("%.6f %.6f\n", most, sum);
    MPI_Finalize();
    return 0;
}
