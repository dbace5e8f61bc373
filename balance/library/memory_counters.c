/* SPDX-License-Identifier: BSD-3-Clause
 * The way shared-memory, for ranks of one machine: the counters of one-sided in memory that all of them have, to which
 * they add with the processor's own instructions. A rank that computes, or stalls, keeps nobody waiting. */
#include "balance/library/own_chunks.h"

#include <string.h>

static int64_t add(struct cs_balancer *b, int counter, int64_t by)
{
    struct cs_shared_counters *s = b->counters.shared;
    return __atomic_fetch_add(counter == CS_COUNTER_STEP ? &s->step : &s->next, by, __ATOMIC_SEQ_CST);
}

static double add_real(double *sum, double by)
{
    double was, is;
    __atomic_load(sum, &was, __ATOMIC_SEQ_CST);
    do
        is = was + by;
    while (!__atomic_compare_exchange(sum, &was, &is, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return was;
}

static struct cs_pace_sums add_sums(struct cs_balancer *b, const struct cs_pace_sums *by)
{
    struct cs_pace_sums *s = &b->counters.shared->sums;
    return (struct cs_pace_sums){add_real(&s->rate, by->rate), add_real(&s->given, by->given),
                                 add_real(&s->measured, by->measured), add_real(&s->spread, by->spread),
                                 add_real(&s->pace, by->pace)};
}

static const struct cs_counter_calls calls = {add, add_sums};

bool cs_on_one_machine(const struct cs_balancer *b)
{
    MPI_Comm machine;
    int here, least;
    MPI_Comm_split_type(b->comm, MPI_COMM_TYPE_SHARED, b->rank, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    MPI_Allreduce(&here, &least, 1, MPI_INT, MPI_MIN, b->comm);
    return least == b->ranks;
}

static const char *open_way(struct cs_balancer *b)
{
    MPI_Aint bytes = b->rank == 0 ? sizeof *b->counters.shared : 0;
    int unit;
    if (!cs_on_one_machine(b))
        return "shared-memory: the ranks are on several machines; take one-sided or master-worker";
    MPI_Win_allocate_shared(bytes, sizeof(int64_t), MPI_INFO_NULL, b->comm, &b->counters.shared, &b->counters.window);
    MPI_Win_shared_query(b->counters.window, 0, &bytes, &unit, &b->counters.shared);
    if (b->rank == 0)
        memset(b->counters.shared, 0, sizeof *b->counters.shared);
    MPI_Barrier(b->comm);
    return NULL;
}

static void close_way(struct cs_balancer *b)
{
    MPI_Win_free(&b->counters.window);
}

/* Rank 0 sets the counters back while no other rank is in a loop. */
static void begin(struct cs_balancer *b)
{
    b->counters.at = (struct cs_chunk_sequence){0};
    b->counters.taken = 0;
    if (b->rank == 0) {
        __atomic_store_n(&b->counters.shared->step, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&b->counters.shared->next, 0, __ATOMIC_SEQ_CST);
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

const struct cs_balance_way cs_way_shared_memory = {"shared-memory", open_way, close_way, begin, next, done};
