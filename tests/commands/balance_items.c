/* SPDX-License-Identifier: BSD-3-Clause
 * Loops of all kinds through libcommslice-balance: is each item done once? usage: balance_items WAY [TECHNIQUE...]
 * Prints a line for each technique, "NAME: ok", or what went wrong. Exit status 2: the library refused. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commslice-balance.h"

enum { MOST = 700 };

static int rank, ranks, stalls;
static int seen[MOST];
static volatile double sink;

/* Some items cost nothing, the last ones much; rank `stalls` sleeps once. */
static void body(int64_t first, int64_t count, void *state)
{
    for (int64_t i = first; i < first + count; i++) {
        seen[i]++;
        for (int64_t k = 0; state && k < i * i / 100; k++)
            sink += (double)k;
    }
    if (rank == stalls)
        usleep(20000);
    stalls = rank == stalls ? -1 : stalls;
}

/* How many items were not done once, on rank 0; the others get 0. */
static int wrong(int64_t items)
{
    static int all[MOST];
    int n = 0;
    MPI_Reduce(seen, all, MOST, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < MOST; i++)
        n += all[i] != (i < items);
    memset(seen, 0, sizeof seen);
    return n;
}

/* The five calls; the report must add up to the loop. */
static int by_hand(const char *technique, const char *way, int64_t items)
{
    struct cs_balance_options o = {.technique = technique, .way = way, .speed = 1 + rank % 3};
    struct cs_balancer *b;
    struct cs_balance_report r;
    int64_t first, count, sum = 0;
    int bad = 0;
    if (cs_balance_setup(MPI_COMM_WORLD, &o, &b))
        return -1;
    for (int turn = 0; turn < 3; turn++) {
        if (cs_balance_start_loop(b, items))
            return -1;
        while (cs_balance_start_chunk(b, &first, &count)) {
            body(first, count, turn == 1 ? &sum : NULL);
            cs_balance_end_chunk(b);
        }
        cs_balance_end_loop(b, &r);
        MPI_Reduce(&r.items, &sum, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
        bad += wrong(items) + (rank == 0 && sum != items) + (r.chunks > r.items) + (r.busy > r.seconds);
    }
    cs_balance_finish(&b);
    return bad;
}

static int at_once(const char *technique, int64_t items)
{
    MPI_Comm comm;
    int bad = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int turn = 0; turn < 3; turn++) {
        if (cs_balance_for(items, body, turn ? &bad : NULL, comm, technique))
            return -1;
        bad += wrong(items);
    }
    if (items % 2)
        MPI_Comm_free(&comm); /* the other ones are there when MPI ends */
    return bad;
}

static int try_technique(const char *technique, const char *way)
{
    static const int64_t items[] = {0, 1, 3, 100, MOST};
    int bad = 0;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        stalls = (int)i % (ranks + 1);
        int by = by_hand(technique, way, items[i]), at = by < 0 ? by : at_once(technique, items[i]);
        if (by < 0 || at < 0)
            return -1;
        bad += by + at;
    }
    if (rank == 0)
        printf(bad ? "%s: %d WRONG\n" : "%s: ok\n", technique, bad);
    return 0;
}

int main(int argc, char **argv)
{
    int code = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(argv[1], "disagree") == 0)
        code = cs_balance_for(rank ? 5 : 7, body, NULL, MPI_COMM_WORLD, NULL) ? 2 : 0;
    else if (strcmp(argv[1], "differ") == 0)
        code = cs_balance_for(5, body, NULL, MPI_COMM_WORLD, rank ? "ss" : "gss") ? 2 : 0;
    else if (strcmp(argv[1], "none") == 0)
        code = cs_balance_for(-1, body, NULL, MPI_COMM_WORLD, NULL) ? 2 : 0;
    else
        for (int i = 2; i < argc && !code; i++)
            code = try_technique(argv[i], argv[1]) ? 2 : 0;
    MPI_Finalize();
    return code;
}
