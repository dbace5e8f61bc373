/* SPDX-License-Identifier: BSD-3-Clause
 * The way one-sided: counters in a window of rank 0, to which ranks add with MPI_Fetch_and_op.
 * Rank 0 need not take part where the network or MPI make progress without it. */
#include "balance/library/own_chunks.h"

#include <string.h>

static int64_t add(struct cs_balancer *b, int counter, int64_t by)
{
    int64_t was;
    MPI_Fetch_and_op(&by, &was, MPI_INT64_T, 0, counter, MPI_SUM, b->counters.window);
    MPI_Win_flush(0, b->counters.window);
    return was;
}

static struct cs_pace_sums add_sums(struct cs_balancer *b, const struct cs_pace_sums *by)
{
    struct cs_pace_sums was;
    MPI_Get_accumulate(by, CS_NSUMS, MPI_DOUBLE, &was, CS_NSUMS, MPI_DOUBLE, 0, CS_COUNTER_SUMS, CS_NSUMS, MPI_DOUBLE,
                       MPI_SUM, b->counters.window);
    MPI_Win_flush(0, b->counters.window);
    return was;
}

static const struct cs_counter_calls calls = {add, add_sums};

static const char *open_way(struct cs_balancer *b)
{
    struct cs_shared_counters *counters;
    MPI_Aint bytes = b->rank == 0 ? sizeof *counters : 0;
    MPI_Win_allocate(bytes, sizeof(int64_t), MPI_INFO_NULL, b->comm, &counters, &b->counters.window);
    if (b->rank == 0)
        memset(counters, 0, sizeof *counters);
    MPI_Barrier(b->comm);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, b->counters.window);
    return NULL;
}

static void close_way(struct cs_balancer *b)
{
    MPI_Win_unlock_all(b->counters.window);
    MPI_Win_free(&b->counters.window);
}

/* Rank 0 sets the counters back while no other rank is in a loop. */
static void begin(struct cs_balancer *b)
{
    int64_t nothing[2] = {0, 0};
    b->counters.at = (struct cs_chunk_sequence){0};
    b->counters.taken = 0;
    if (b->rank == 0) {
        MPI_Accumulate(nothing, 2, MPI_INT64_T, 0, CS_COUNTER_STEP, 2, MPI_INT64_T, MPI_REPLACE, b->counters.window);
        MPI_Win_flush(0, b->counters.window);
    }
    MPI_Barrier(b->comm);
}

static int64_t next(struct cs_balancer *b, int64_t *first)
{
    return cs_own_chunk(b, &calls, first);
}

static void done(struct cs_balancer *b, int64_t items, double seconds)
{
    cs_own_chunk_done(b, &calls, items, seconds);
}

const struct cs_balance_way cs_way_one_sided = {"one-sided", open_way, close_way, begin, next, done};
