/* SPDX-License-Identifier: BSD-3-Clause
 * Simulates a loop by discrete events: simulate.h. An event is a worker's request at the time at which it comes to
 * where it is answered; requests are answered one after the other. What takes time is a heap of all workers for each
 * chunk. */
#include "balance/simulate/simulate.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "balance/simulate/event_heap.h"
#include "balance/techniques/handout.h"

/* The library's leader answers between pieces of its own work of so many seconds, or of one item. */
static const double PIECE = 100e-6;

/* A loop as far as it is simulated. work[w] is the chunk that worker w is at, or was at last. */
struct run {
    const struct cs_simulation *s;
    struct cs_handout handout;
    struct cs_event_heap events;
    struct work {
        int64_t items;
        double seconds, end;
    } * work;
    double free;    /* when the next request can be answered */
    double piece;   /* of the leader's chunk */
    int operations; /* one after the other, for each chunk */
    struct cs_simulated *out;
};

static double work_seconds(const struct cs_simulation *s, int worker, int64_t first, int64_t items)
{
    return (s->before[first + items] - s->before[first]) / s->real[worker];
}

/* ---- blocks: nobody asks ---- */

static void do_blocks(const struct cs_simulation *s, struct cs_handout *h, struct cs_simulated *r, double *seconds)
{
    double sum = 0;
    *r = (struct cs_simulated){0};
    for (int w = 0; w < s->workers; w++) {
        int64_t first, items = cs_handout_take(h, w, &first);
        seconds[w] = work_seconds(s, w, first, items);
        r->seconds = fmax(r->seconds, seconds[w]);
        r->chunks += items > 0;
        sum += seconds[w];
    }
    r->mean = sum / s->workers;
}

/* One point of each worker's curve: its block of the loop before. */
static void learn(const struct cs_handout *h, const double *seconds, struct cs_time_curve *curve, double *size)
{
    for (int w = 0; w < h->loop.workers; w++) {
        size[w] = (double)(h->block[w + 1] - h->block[w]);
        curve[w] = (struct cs_time_curve){size[w] > 0 && seconds[w] > 0, &size[w], &seconds[w]};
    }
}

static int simulate_blocks(const struct cs_simulation *s, struct cs_handout *h, struct cs_simulated *r)
{
    size_t n = (size_t)s->workers;
    double *seconds = malloc(n * sizeof *seconds), *again = malloc(n * sizeof *again), *size = malloc(n * sizeof *size);
    struct cs_time_curve *curve = malloc(n * sizeof *curve);
    int code = seconds && again && size && curve ? cs_handout_loop(h, s->items, NULL) : -1;
    if (!code)
        do_blocks(s, h, r, seconds);
    if (!code && (h->technique->flags & CS_NEED_CURVES)) {
        learn(h, seconds, curve, size);
        code = cs_handout_loop(h, s->items, curve);
        if (!code)
            do_blocks(s, h, r, again);
    }
    free(seconds);
    free(again);
    free(size);
    free(curve);
    return code;
}

/* ---- chunks ---- */

/* Additions for each chunk, one after the other: commslice-balance's own_chunks.c. */
static int count_operations(const struct cs_technique *t)
{
    if (t->kind == CS_CHUNK_STEP || (t->flags & CS_ANYWHERE))
        return 1;
    return t->flags & CS_NEED_MEASURED ? 4 : 2;
}

/* Does the worker sit where requests are answered? */
static bool is_local(const struct run *r, int worker)
{
    return worker == 0 && r->s->way != CS_FROM_LEADER;
}

static double latency(const struct run *r, int worker)
{
    return is_local(r, worker) ? 0 : r->s->latency;
}

/* The leader has a chunk of its own at this time. */
static bool leader_works(const struct run *r, double time)
{
    return r->s->way == CS_FROM_WORKER && r->work[0].items && time < r->work[0].end;
}

/* When the request is answered: after those before it, and after the piece that the leader is at. */
static double answer(struct run *r, double time, int worker)
{
    double service = r->s->service * r->operations;
    bool interrupts = worker != 0 && leader_works(r, fmax(time, r->free));
    double begin = fmax(interrupts ? time + r->piece / 2 : time, r->free);
    if (worker == 0 && r->s->way == CS_FROM_WORKER)
        service = 0;
    r->free = begin + service;
    if (interrupts)
        r->work[0].end += service;
    return r->free;
}

static void note_last(struct run *r, int worker)
{
    const struct work *w = &r->work[worker];
    if (w->items)
        cs_handout_note(&r->handout, worker, w->items, w->seconds);
}

/* The chunk that a worker got at this time; its next request comes when it is done. */
static void work_on(struct run *r, int worker, int64_t first, int64_t items, double time)
{
    struct work *w = &r->work[worker];
    double begin = time + latency(r, worker) + 2 * (r->operations - 1) * latency(r, worker);
    w->items = items;
    w->seconds = work_seconds(r->s, worker, first, items);
    w->end = begin + w->seconds;
    if (worker == 0)
        r->piece = fmin(w->seconds, fmax(PIECE, w->seconds / (double)items));
    r->out->chunks++;
    r->events.at[0].time = w->end + latency(r, worker);
    cs_events_sink(&r->events);
}

static void handle_first(struct run *r)
{
    struct cs_worker_event e = r->events.at[0];
    int64_t first, items;
    if (e.worker == 0 && r->work[0].items && e.time < r->work[0].end) { /* it answered others in between */
        r->events.at[0].time = r->work[0].end;
        cs_events_sink(&r->events);
        return;
    }
    double time = answer(r, e.time, e.worker);
    note_last(r, e.worker);
    items = cs_handout_take(&r->handout, e.worker, &first);
    r->out->messages += is_local(r, e.worker) ? 0 : 2 * (items ? r->operations : 1);
    if (items)
        work_on(r, e.worker, first, items, time);
    else
        cs_events_drop(&r->events);
}

static void finish(struct run *r)
{
    double sum = 0;
    for (int w = 0; w < r->s->workers; w++) {
        r->out->seconds = fmax(r->out->seconds, r->work[w].end);
        sum += r->work[w].end;
    }
    r->out->mean = sum / r->s->workers;
}

static int simulate_chunks(struct run *r)
{
    const struct cs_simulation *s = r->s;
    *r->out = (struct cs_simulated){0};
    r->operations = s->way == CS_FROM_COUNTERS ? count_operations(r->handout.technique) : 1;
    r->work = calloc((size_t)s->workers, sizeof *r->work);
    r->events.at = malloc((size_t)s->workers * sizeof *r->events.at);
    int code = r->work && r->events.at ? cs_handout_loop(&r->handout, s->items, NULL) : -1;
    /* In ascending order, which is a heap. */
    for (int w = 0; !code && w < s->workers; w++)
        r->events.at[r->events.n++] = (struct cs_worker_event){latency(r, w), w};
    while (r->events.n)
        handle_first(r);
    if (!code)
        finish(r);
    assert(code || r->handout.at.next == s->items);
    free(r->work);
    free(r->events.at);
    return code;
}

int cs_simulate(const struct cs_simulation *s, const struct cs_technique *t, struct cs_simulated *out)
{
    struct run r = {.s = s, .out = out};
    assert(s->workers > 0 && s->items >= 0 && s->latency >= 0 && s->service >= 0);
    if (cs_handout_init(&r.handout, t, s->workers, s->chunk, s->speed))
        return -1;
    int code = t->kind == CS_CHUNK_BLOCK ? simulate_blocks(s, &r.handout, out) : simulate_chunks(&r);
    cs_handout_free(&r.handout);
    return code;
}
