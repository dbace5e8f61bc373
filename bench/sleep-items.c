/* SPDX-License-Identifier: BSD-3-Clause
 * A loop of items that take as long as a file says, handed out by libcommslice-balance: each item sleeps, so that many
 * ranks find place on few processors. usage: sleep-items COSTS TECHNIQUE SPEED...
 * COSTS has seconds, a line for each item, of a rank of speed 1; each rank has its speed, the last one also that of all
 * further ranks. Prints the seconds from a barrier until the last rank is done; of vrp-dynamic those of its second
 * loop. */
#define _GNU_SOURCE 1
#include <commslice-balance.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Items, and how fast this rank is. */
struct loop {
    int n;
    double *cost, speed;
};

static int read_costs(struct loop *l, const char *path)
{
    FILE *f = fopen(path, "r");
    double v;
    while (f && fscanf(f, "%lf", &v) == 1) {
        if ((l->n & (l->n + 1)) == 0 && !(l->cost = realloc(l->cost, 2 * (size_t)(l->n + 1) * sizeof *l->cost)))
            return -1;
        l->cost[l->n++] = v;
    }
    return f ? fclose(f) : -1;
}

/* Until a time that is counted from the chunk's begin, so that waking up late does not add up. */
static void sleep_some(int64_t first, int64_t count, void *state)
{
    const struct loop *l = state;
    struct timespec begin, until;
    double sum = 0;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int64_t i = first; i < first + count; i++) {
        sum += l->cost[i] / l->speed;
        int64_t ns = begin.tv_nsec + (int64_t)(1e9 * sum);
        until = (struct timespec){begin.tv_sec + ns / 1000000000, ns % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
}

int main(int argc, char **argv)
{
    struct loop l = {0};
    int rank;
    double seconds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 4 || read_costs(&l, argv[1]))
        MPI_Abort(MPI_COMM_WORLD, 2);
    l.speed = atof(argv[rank + 3 < argc ? rank + 3 : argc - 1]);
    struct cs_balance_options o = {.technique = argv[2], .speed = l.speed};
    struct cs_balancer *b;
    if (cs_balance_setup(MPI_COMM_WORLD, &o, &b))
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int turn = strcmp(argv[2], "vrp-dynamic") == 0 ? 2 : 1; turn > 0; turn--) {
        int64_t first, count;
        MPI_Barrier(MPI_COMM_WORLD);
        double began = MPI_Wtime();
        if (cs_balance_start_loop(b, l.n))
            MPI_Abort(MPI_COMM_WORLD, 2);
        while (cs_balance_start_chunk(b, &first, &count)) {
            sleep_some(first, count, &l);
            cs_balance_end_chunk(b);
        }
        double own = MPI_Wtime() - began;
        cs_balance_end_loop(b, NULL);
        MPI_Reduce(&own, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    }
    cs_balance_finish(&b);
    if (rank == 0)
        printf("%.6f\n", seconds);
    MPI_Finalize();
    return 0;
}
