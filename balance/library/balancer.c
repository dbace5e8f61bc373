/* SPDX-License-Identifier: BSD-3-Clause
 * The five calls of the library: commslice-balance.h.
 * A technique with blocks needs no way: each rank cuts them as all others do, and takes its own. */
#include "balance/library/balancer_internal.h"
#include "balance/library/block_parts.h"
#include "balance/library/watched_loop.h"

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
    cs_parts_open(b);
    cs_watch_open(b);
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
    cs_watch_agree(b);
    /* No curves before the first loop: then it goes by the given speeds. */
    if (cs_handout_loop(&b->handout, items, b->curves.curve && b->curves.curve[0].n ? b->curves.curve : NULL))
        out_of_memory(b->comm);
    b->items = items;
    b->count = 0;
    b->pieces = (struct cs_chunk_pieces){0};
    b->did = (struct cs_balance_report){0};
    cs_parts_begin(b);
    if (!has_blocks(b))
        b->is.way->begin(b);
    cs_watch_loop(b);
    b->loop_began = MPI_Wtime();
    return 0;
}

static int64_t own_block(struct cs_balancer *b, int64_t *first)
{
    if (b->parts)
        return cs_parts_next(b, first);
    int64_t items = cs_handout_take(&b->handout, b->rank, first);
    b->did.chunks += items > 0;
    return items;
}

/* Pieces of a chunk of a loop that is watched, so that its progress shows before its end; the leader of master-worker
 * does its chunks in pieces anyway. Only where the user says so: the program sees each as a chunk, and may make calls
 * for each. */
enum { PIECES = 8 };

static bool in_pieces(const struct cs_balancer *b)
{
    return b->watch.line && b->is.follow && !has_blocks(b) && (b->rank != 0 || b->is.way != &cs_way_master_worker);
}

/* A new chunk, or the next piece of the one at work. */
static int64_t next_items(struct cs_balancer *b, int64_t *first)
{
    struct cs_chunk_pieces *p = &b->pieces;
    if (has_blocks(b))
        return own_block(b, first);
    if (!in_pieces(b))
        return b->is.way->next(b, first);
    if (!p->rest) {
        p->rest = b->is.way->next(b, &p->first);
        p->each = (p->rest + PIECES - 1) / PIECES;
        p->done = 0;
        p->seconds = 0;
    }
    int64_t items = p->rest < p->each ? p->rest : p->each;
    *first = p->first;
    p->first += items;
    p->rest -= items;
    return items;
}

/* A chunk, or the next piece of it, is done: the way hears of whole chunks. */
static void tell_done(struct cs_balancer *b, double seconds)
{
    struct cs_chunk_pieces *p = &b->pieces;
    if (has_blocks(b) || b->count == 0)
        return;
    p->done += b->count;
    p->seconds += seconds;
    if (p->rest)
        return;
    b->is.way->done(b, p->done, p->seconds);
    p->done = 0;
    p->seconds = 0;
}

int cs_balance_start_chunk(struct cs_balancer *b, int64_t *first, int64_t *count)
{
    assert(!b->count && "cs_balance_end_chunk comes before the next chunk");
    cs_watch_follow(b);
    *count = next_items(b, first);
    b->count = *count;
    b->did.items += *count;
    assert(*count >= 0 && (*count == 0 || (*first >= 0 && *first + *count <= b->items)));
    b->chunk_began = cs_live_now();
    cs_watch_chunk(b);
    return *count > 0;
}

void cs_balance_end_chunk(struct cs_balancer *b)
{
    double seconds = 1e-9 * (double)(cs_live_now() - b->chunk_began);
    b->did.busy += seconds;
    cs_watch_chunk_done(b, seconds);
    tell_done(b, seconds);
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
    cs_watch_loop_over(b);
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
    cs_parts_close(b);
    cs_watch_close(b);
    free_balancer(b);
}
