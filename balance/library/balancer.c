/* SPDX-License-Identifier: BSD-3-Clause
 * The five calls of the library: commslice-balance.h.
 * A technique with blocks needs no way: each rank cuts them as all others do, and takes its own. */
#include "balance/library/balancer_internal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static bool has_blocks(const struct cs_balancer *b)
{
    return b->is.technique->kind == CS_CHUNK_BLOCK;
}

static bool learns_curves(const struct cs_balancer *b)
{
    return b->is.technique->flags & CS_NEED_CURVES;
}

static void out_of_memory(MPI_Comm comm)
{
    fprintf(stderr, "commslice-balance: not enough memory\n");
    MPI_Abort(comm, 2);
}

static void free_balancer(struct cs_balancer *b)
{
    cs_handout_free(&b->handout);
    cs_rank_curves_free(&b->curves);
    free(b->is.speed);
    MPI_Comm_free(&b->comm);
    free(b);
}

/* The way, if one is needed. */
static int open_way(struct cs_balancer *b)
{
    const char *wrong = has_blocks(b) ? NULL : b->is.way->open(b);
    if (wrong && b->rank == 0)
        fprintf(stderr, "commslice-balance: %s\n", wrong);
    return wrong ? -1 : 0;
}

int cs_balance_setup(MPI_Comm comm, const struct cs_balance_options *options, struct cs_balancer **balancer)
{
    struct cs_balance_settings settings;
    *balancer = NULL;
    if (cs_balance_settle(comm, options, &settings))
        return -1;
    struct cs_balancer *b = calloc(1, sizeof *b);
    if (!b)
        out_of_memory(comm);
    b->is = settings;
    MPI_Comm_dup(comm, &b->comm);
    MPI_Comm_rank(b->comm, &b->rank);
    MPI_Comm_size(b->comm, &b->ranks);
    if (cs_handout_init(&b->handout, b->is.technique, b->ranks, b->is.chunk, b->is.speed) ||
        (learns_curves(b) && cs_rank_curves_init(&b->curves, b->ranks)))
        out_of_memory(comm);
    if (open_way(b)) {
        free_balancer(b);
        return -1;
    }
    *balancer = b;
    return 0;
}

/* Do all ranks have the same loop? No rank goes on before all have come. */
static bool same_loop(const struct cs_balancer *b, int64_t items)
{
    int64_t own[2] = {items, -items}, most[2];
    MPI_Allreduce(own, most, 2, MPI_INT64_T, MPI_MAX, b->comm);
    bool same = most[0] == -most[1] && items >= 0 && items <= CS_MOST_ITEMS;
    if (!same && b->rank == 0)
        fprintf(stderr, "commslice-balance: a loop of %lld to %lld items: give all ranks one number, from 0 to 2^53\n",
                (long long)-most[1], (long long)most[0]);
    return same;
}

int cs_balance_start_loop(struct cs_balancer *b, int64_t items)
{
    if (!same_loop(b, items))
        return -1;
    /* No curves before the first loop: then it goes by the given speeds. */
    if (cs_handout_loop(&b->handout, items, b->curves.curve && b->curves.curve[0].n ? b->curves.curve : NULL))
        out_of_memory(b->comm);
    b->items = items;
    b->count = 0;
    b->did = (struct cs_balance_report){0};
    if (!has_blocks(b))
        b->is.way->begin(b);
    b->loop_began = MPI_Wtime();
    return 0;
}

static int64_t own_block(struct cs_balancer *b, int64_t *first)
{
    int64_t items = cs_handout_take(&b->handout, b->rank, first);
    b->did.chunks += items > 0;
    return items;
}

int cs_balance_start_chunk(struct cs_balancer *b, int64_t *first, int64_t *count)
{
    assert(!b->count && "cs_balance_end_chunk comes before the next chunk");
    *count = has_blocks(b) ? own_block(b, first) : b->is.way->next(b, first);
    b->count = *count;
    b->did.items += *count;
    assert(*count >= 0 && (*count == 0 || (*first >= 0 && *first + *count <= b->items)));
    b->chunk_began = MPI_Wtime();
    return *count > 0;
}

void cs_balance_end_chunk(struct cs_balancer *b)
{
    double seconds = MPI_Wtime() - b->chunk_began;
    b->did.busy += seconds;
    if (!has_blocks(b) && b->count)
        b->is.way->done(b, b->count, seconds);
    b->count = 0;
}

/* One line of rank 0: time of the slowest rank, and imbalance as most over mean. */
static void print_report(const struct cs_balancer *b)
{
    double own[3] = {b->did.busy, (double)b->did.chunks, b->did.seconds}, sum[3], most[3];
    MPI_Reduce(own, sum, 3, MPI_DOUBLE, MPI_SUM, 0, b->comm);
    MPI_Reduce(own, most, 3, MPI_DOUBLE, MPI_MAX, 0, b->comm);
    if (b->rank == 0)
        fprintf(stderr, "commslice-balance: %s, %s: %lld items on %d ranks in %.6f s, %.0f chunks, imbalance %.3f\n",
                b->is.technique->name, has_blocks(b) ? "no messages" : b->is.way->name, (long long)b->items, b->ranks,
                most[2], sum[1], sum[0] > 0 ? most[0] * b->ranks / sum[0] : 1);
}

int cs_balance_end_loop(struct cs_balancer *b, struct cs_balance_report *report)
{
    assert(!b->count && "cs_balance_end_chunk comes before the end of the loop");
    b->did.seconds = MPI_Wtime() - b->loop_began;
    if (report)
        *report = b->did;
    if (learns_curves(b))
        cs_rank_curves_note(b);
    if (b->is.report)
        print_report(b);
    return 0;
}

void cs_balance_finish(struct cs_balancer **balancer)
{
    struct cs_balancer *b = *balancer;
    *balancer = NULL;
    if (!b)
        return;
    if (!has_blocks(b))
        b->is.way->close(b);
    free_balancer(b);
}
