/* SPDX-License-Identifier: BSD-3-Clause
 * A demo: heat in blocks of rows as in heat_rows.c, with blocks by libcommslice-balance: equal ones, or by the speeds
 * of COMMSLICE_BALANCE_SPEEDS, which may be the shares of commslice shares. Rank r takes SLOWNESS[r] times as long for
 * its rows, and sleeps for the rest. usage: heat_balanced N STEPS [TECHNIQUE [SLOWNESS...]] with static or vrp */
#define _GNU_SOURCE 1
#include <commslice-balance.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A rank's rows, with one above and one below. */
struct block {
    int n;
    int64_t first, rows;
    double *now, *next; /* (rows + 2) x (n + 2) */
    double slowness, busy;
};

static int me, ranks;

/* Rows stay where they are, so the loop is handed out once, and all steps are done on it. */
static int take_rows(struct block *b, const char *technique)
{
    struct cs_balance_options o = {.technique = technique};
    struct cs_balancer *balancer;
    int64_t first, rows;
    if (cs_balance_setup(MPI_COMM_WORLD, &o, &balancer) || cs_balance_start_loop(balancer, b->n))
        return -1;
    while (cs_balance_start_chunk(balancer, &first, &rows)) {
        b->first = b->rows ? -1 : first; /* a block each: what hands out more is not for heat */
        b->rows = rows;
        cs_balance_end_chunk(balancer);
    }
    cs_balance_end_loop(balancer, NULL);
    cs_balance_finish(&balancer);
    b->now = calloc((size_t)(b->rows + 2) * (size_t)(b->n + 2), sizeof(double));
    b->next = calloc((size_t)(b->rows + 2) * (size_t)(b->n + 2), sizeof(double));
    return b->first < 0 ? -1 : 0;
}

/* Rank 0 makes the rows: the plate is hot in its middle. */
static void hand_out(struct block *b)
{
    int width = b->n + 2;
    int64_t own[2] = {b->first, b->rows}, *all = calloc(2 * (size_t)ranks, sizeof *all);
    double *row = calloc((size_t)width, sizeof *row);
    MPI_Gather(own, 2, MPI_INT64_T, all, 2, MPI_INT64_T, 0, MPI_COMM_WORLD);
    for (int r = 0; me == 0 && r < ranks; r++)
        for (int64_t i = 0; i < all[2 * r + 1]; i++) {
            for (int j = 1; j <= b->n; j++)
                row[j] = llabs(2 * (all[2 * r] + i + 1) - b->n) + abs(2 * j - b->n) < b->n / 2 ? 100 : 0;
            if (r == 0)
                memcpy(b->now + (i + 1) * width, row, (size_t)width * sizeof *row);
            else
                MPI_Send(row, width, MPI_DOUBLE, r, 1, MPI_COMM_WORLD);
        }
    for (int64_t i = 1; me && i <= b->rows; i++)
        MPI_Recv(b->now + i * width, width, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(row);
    free(all);
}

static void exchange_borders(struct block *b, int up, int down)
{
    int width = b->n + 2;
    MPI_Sendrecv(b->now + width, width, MPI_DOUBLE, up, 2, b->now + (b->rows + 1) * width, width, MPI_DOUBLE, down, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(b->now + b->rows * width, width, MPI_DOUBLE, down, 3, b->now, width, MPI_DOUBLE, up, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* Processor time, so that ranks that share a processor do not count each other's. */
static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

static void relax(struct block *b)
{
    int width = b->n + 2;
    double *t = b->now, began = processor_time();
    for (int64_t i = 1; i <= b->rows; i++)
        for (int64_t j = i * width + 1; j <= i * width + b->n; j++)
            b->next[j] = 0.25 * (t[j - 1] + t[j + 1] + t[j - width] + t[j + width]);
    b->now = b->next;
    b->next = t;
    double took = processor_time() - began;
    b->busy += took * b->slowness;
    if (b->slowness > 1)
        sleep_for((b->slowness - 1) * took);
}

static double sum_of(const struct block *b)
{
    double sum = 0;
    for (int64_t i = 1; i <= b->rows; i++)
        for (int j = 1; j <= b->n; j++)
            sum += b->now[i * (b->n + 2) + j];
    return sum;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct block b = {.n = argc > 1 ? atoi(argv[1]) : 256, .slowness = argc > 4 + me ? atof(argv[4 + me]) : 1};
    int steps = argc > 2 ? atoi(argv[2]) : 20;
    if (take_rows(&b, argc > 3 ? argv[3] : "static"))
        MPI_Abort(MPI_COMM_WORLD, 2);
    hand_out(&b);
    MPI_Barrier(MPI_COMM_WORLD);
    double began = MPI_Wtime();
    for (int s = 0; s < steps; s++) {
        exchange_borders(&b, me ? me - 1 : MPI_PROC_NULL, me + 1 < ranks ? me + 1 : MPI_PROC_NULL);
        relax(&b);
    }
    double own[2] = {sum_of(&b), b.busy}, sum[2], least, most;
    MPI_Reduce(own, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&b.busy, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&b.busy, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("sum %.6f, %.3f s, ranks computed %.3f to %.3f s\n", sum[0], MPI_Wtime() - began, least, most);
    MPI_Finalize();
    return 0;
}
