/* SPDX-License-Identifier: BSD-3-Clause
 * The way master-worker: rank 0 hands out chunks on request, and works, too. It does its own chunks in pieces and
 * answers between them, so that nobody waits longer than a piece takes; and workers ask before they have done the last
 * part of a chunk, so that they hardly wait at all. Needs nothing of MPI but messages. */
#include "balance/library/watched_loop.h"

#include <stddef.h>

/* A request says what was done: items and seconds. An answer is the first item and how many, 0: no more. */
enum { TAG_REQUEST = 1, TAG_CHUNK = 2 };

/* Seconds that a piece of the leader's work should take. */
static const double PIECE = 100e-6;

/* The last part of a chunk is one of so many, at least an item; chunks of less than LEAST_SPLIT items are not split. */
enum { PARTS = 8, LEAST_SPLIT = 3 };

/* Answers one request. */
static void answer(struct cs_balancer *b, int source)
{
    double done[2];
    int64_t chunk[2];
    MPI_Recv(done, 2, MPI_DOUBLE, source, TAG_REQUEST, b->comm, MPI_STATUS_IGNORE);
    if (done[0] > 0)
        cs_handout_note(&b->handout, source, (int64_t)done[0], done[1]);
    cs_watch_follow(b);
    chunk[1] = cs_handout_take(&b->handout, source, &chunk[0]);
    cs_watch_answer(b, source, (int64_t)done[0], done[1], chunk[1]);
    b->leader.told += chunk[1] == 0;
    MPI_Send(chunk, 2, MPI_INT64_T, source, TAG_CHUNK, b->comm);
}

static void answer_all(struct cs_balancer *b)
{
    MPI_Status status;
    int there = 1;
    while (b->leader.told < b->ranks - 1) {
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_REQUEST, b->comm, &there, &status);
        if (!there)
            return;
        answer(b, status.MPI_SOURCE);
    }
}

static void answer_to_the_end(struct cs_balancer *b)
{
    MPI_Status status;
    while (b->leader.told < b->ranks - 1) {
        MPI_Probe(MPI_ANY_SOURCE, TAG_REQUEST, b->comm, &status);
        answer(b, status.MPI_SOURCE);
    }
}

/* The next piece: as many items as take so long, at most twice as many as before. Alone there is nobody to answer. */
static int64_t piece(const struct cs_balancer *b)
{
    const struct cs_leader *l = &b->leader;
    double each = l->rest < l->items ? l->seconds / (double)(l->items - l->rest) : 0;
    int64_t most = l->piece ? 2 * l->piece : 1;
    double fit = each > 0 ? PIECE / each : (double)most;
    int64_t items = fit < 1 ? 1 : fit < (double)most ? (int64_t)fit : most;
    return b->ranks == 1 || items > l->rest ? l->rest : items;
}

/* The leader takes its first chunk before it answers anybody, so that the first chunk, which may be the largest, does
 * not hang on who is quicker. */
static int64_t next_of_leader(struct cs_balancer *b, int64_t *first)
{
    struct cs_leader *l = &b->leader;
    if (b->did.chunks)
        answer_all(b);
    if (!l->rest) {
        l->rest = l->items = cs_handout_take(&b->handout, 0, &l->first);
        l->seconds = 0;
        b->did.chunks += l->items > 0;
    }
    if (!l->rest) {
        answer_to_the_end(b);
        return 0;
    }
    l->piece = piece(b);
    *first = l->first;
    l->first += l->piece;
    l->rest -= l->piece;
    return l->piece;
}

static void ask(struct cs_balancer *b)
{
    struct cs_worker_ahead *w = &b->ahead;
    double done[2] = {(double)b->reported, b->reported_seconds};
    MPI_Irecv(w->answer, 2, MPI_INT64_T, 0, TAG_CHUNK, b->comm, &w->request);
    MPI_Send(done, 2, MPI_DOUBLE, 0, TAG_REQUEST, b->comm);
    b->reported = 0;
    b->reported_seconds = 0;
    w->asked = true;
}

/* A part of a chunk that was split, and while it is done the next one is on its way; or a new chunk. */
static int64_t next_of_worker(struct cs_balancer *b, int64_t *first)
{
    struct cs_worker_ahead *w = &b->ahead;
    int64_t rest = w->rest;
    if (!w->asked)
        ask(b);
    *first = w->first;
    w->rest = 0;
    if (rest)
        return rest;
    MPI_Wait(&w->request, MPI_STATUS_IGNORE);
    w->asked = false;
    *first = w->answer[0];
    b->did.chunks += w->answer[1] > 0;
    w->rest = w->answer[1] < LEAST_SPLIT ? 0 : (w->answer[1] + PARTS - 1) / PARTS;
    w->first = w->answer[0] + w->answer[1] - w->rest;
    return w->answer[1] - w->rest;
}

static int64_t next(struct cs_balancer *b, int64_t *first)
{
    return b->rank == 0 ? next_of_leader(b, first) : next_of_worker(b, first);
}

static void done(struct cs_balancer *b, int64_t items, double seconds)
{
    b->reported += items;
    b->reported_seconds += seconds;
    if (b->rank != 0)
        return;
    b->leader.seconds += seconds;
    if (!b->leader.rest)
        cs_handout_note(&b->handout, 0, b->leader.items, b->leader.seconds);
}

static void begin(struct cs_balancer *b)
{
    b->leader = (struct cs_leader){0};
    b->ahead = (struct cs_worker_ahead){0};
    b->reported = 0;
    b->reported_seconds = 0;
}

static const char *open_way(struct cs_balancer *b)
{
    return NULL;
}

static void close_way(struct cs_balancer *b)
{
}

const struct cs_balance_way cs_way_master_worker = {"master-worker", open_way, close_way, begin, next, done};
