/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through the calls of all ranks in the order of their clocks, twice each: a rank enters a call, and ends it. By
 * then it is known when what it waited for was there, as that cannot have been later. */
#include "trace/waits/waits.h"

#include <assert.h>
#include <stdlib.h>

#include "base/error_text.h"
#include "base/grow.h"
#include "trace/waits/waits_internal.h"

/* ---- the heap ---- */

/* Calls begin before others end at the same time. */
static bool earlier(const struct wait_turn *a, const struct wait_turn *b)
{
    return a->time < b->time || (a->time == b->time && !a->ends && b->ends);
}

static void sift_down(struct search *s, int i)
{
    for (int least;; i = least) {
        least = i;
        for (int c = 2 * i + 1; c <= 2 * i + 2 && c < s->nheap; c++)
            if (earlier(&s->heap[c], &s->heap[least]))
                least = c;
        if (least == i)
            return;
        struct wait_turn t = s->heap[i];
        s->heap[i] = s->heap[least];
        s->heap[least] = t;
    }
}

static void add_turn(struct search *s, struct wait_turn t)
{
    int i = s->nheap++;
    assert(s->nheap <= s->nranks);
    for (; i > 0 && earlier(&t, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = t;
}

static struct wait_turn take_earliest(struct search *s)
{
    assert(s->nheap > 0);
    struct wait_turn t = s->heap[0];
    s->heap[0] = s->heap[--s->nheap];
    sift_down(s, 0);
    return t;
}

/* ---- sums of a place ---- */

static int make_places(struct rank *r, int place)
{
    if (!CS_MAKE_ROOM_FOR(r->computing, place + 1, r->places_cap) ||
        !CS_MAKE_ROOM_FOR(r->waiting, place + 1, r->waiting_cap))
        return -1;
    for (; r->nplaces <= place; r->nplaces++)
        r->computing[r->nplaces] = r->waiting[r->nplaces] = -1; /* it has not come here */
    return 0;
}

static void add_to(double *sum, double ns)
{
    *sum = (*sum < 0 ? 0 : *sum) + ns;
}

/* ---- calls ---- */

/* Reads the rank's next event. 1, 0: the end, or -1. */
static int read_event(struct search *s, struct rank *r)
{
    int rc = cs_trace_iter_next(r->iter, &r->e);
    return rc < 0 ? cs_error_text(s->why, s->whylen, "rank %d: %s", r->rank, cs_trace_iter_error(r->iter)) : rc;
}

/* Makes the event the rank's next call; its turn is when it enters it. 0, or -1. */
static int plan(struct search *s, struct rank *r)
{
    double enter = (double)r->e.t_enter + r->offset, exit = (double)r->e.t_exit + r->offset;
    r->before = r->exit;
    r->enter = enter > r->before ? enter : r->before;
    r->exit = exit > r->enter ? exit : r->enter;
    r->place = cs_wait_place(s, r->rank, &r->e);
    if (r->place < 0 || make_places(r, r->place))
        return cs_error_text(s->why, s->whylen, "not enough memory");
    add_turn(s, (struct wait_turn){r->enter, r->rank, false});
    return 0;
}

static int enter(struct search *s, struct rank *r)
{
    struct cs_wait_rank *sum = &s->w->rank[r->rank];
    double gap = r->enter - r->before, delay = (double)r->e.t_delay < gap ? (double)r->e.t_delay : gap;
    cs_wait_did(r, (struct did){r->before, r->before + delay, DID_WAIT_FOR_PROCESSOR, r->place, -1});
    cs_wait_did(r, (struct did){r->before + delay, r->enter, DID_COMPUTE, r->place, -1});
    sum->delayed += delay;
    sum->computing += gap - delay;
    s->w->place[r->place].before += gap - delay;
    s->w->place[r->place].calls++;
    add_to(&r->computing[r->place], gap - delay);
    add_turn(s, (struct wait_turn){r->exit, r->rank, true});
    return cs_wait_enter(s, r);
}

/* What the operation is called that the rank waited for. */
static enum cs_wait_kind kind_of(const struct op *o)
{
    return o->kind == OP_COLLECTIVE ? o->waits : o->kind == OP_SEND ? CS_WAIT_RECEIVE : CS_WAIT_MESSAGE;
}

/* The rank waited from when it entered the call. 0, or -1: memory is out. */
static int waited(struct search *s, struct rank *r, struct op *o)
{
    double until = cs_wait_ready(o), ns = until - r->enter;
    assert(ns > 0 && until <= r->exit && o->by >= 0 && o->by < s->nranks);
    int64_t cause = o->by == r->rank ? -1 : cs_wait_blame(s, r, o->by, r->enter, until);
    if (cause == -2)
        return -1;
    s->w->place[r->place].waiting[kind_of(o)] += ns;
    s->w->rank[r->rank].waiting += ns;
    add_to(&r->waiting[r->place], ns);
    cs_wait_did(r, (struct did){r->enter, until, DID_WAIT, r->place, cause});
    return cs_way_jump(r, o->by_way, until);
}

static int end(struct search *s, struct rank *r)
{
    struct op *o = cs_wait_decisive(s, r);
    double from = r->enter;
    if (o) {
        from = cs_wait_ready(o);
        if (waited(s, r, o))
            return cs_error_text(s->why, s->whylen, "not enough memory");
    }
    cs_wait_did(r, (struct did){from, r->exit, DID_CALL, r->place, -1});
    s->w->rank[r->rank].inside += r->exit - r->enter;
    s->w->rank[r->rank].end = r->exit;
    s->w->place[r->place].inside += r->exit - r->enter;
    cs_wait_leave(s, r);
    int rc = read_event(s, r);
    return rc == 1 ? plan(s, r) : rc;
}

/* ---- the whole ---- */

static int prepare(struct search *s)
{
    s->nranks = cs_trace_info(s->t)->nranks;
    s->r = calloc((size_t)s->nranks, sizeof *s->r);
    s->heap = malloc((size_t)s->nranks * sizeof *s->heap);
    s->w = calloc(1, sizeof *s->w);
    if (s->w)
        s->w->rank = calloc((size_t)s->nranks, sizeof *s->w->rank);
    if (!s->r || !s->heap || !s->w || !s->w->rank)
        return cs_error_text(s->why, s->whylen, "not enough memory");
    s->w->nranks = s->nranks;
    for (int i = 0; i < s->nranks; i++) {
        struct rank *r = &s->r[i];
        r->rank = i;
        if (cs_trace_rank_state(s->t, i) == CS_RANK_MISSING)
            return cs_error_text(s->why, s->whylen, "the trace has nothing of rank %d", i);
        if (!(r->iter = cs_trace_iter_open(s->t, i)))
            return cs_error_text(s->why, s->whylen, "not enough memory");
    }
    return 0;
}

/* The ranks' first calls, on one clock, which begins with the first rank's MPI_Init. */
static int first_calls(struct search *s)
{
    int64_t first = INT64_MAX;
    bool known = true;
    for (int i = 0; i < s->nranks; i++) {
        int rc = read_event(s, &s->r[i]);
        int64_t clock = cs_trace_iter_clock(s->r[i].iter);
        if (rc < 0)
            return -1;
        s->r[i].ended = !rc;
        known &= !rc || clock >= 0;
        first = rc && clock < first ? clock : first;
    }
    for (int i = 0; i < s->nranks; i++) {
        struct rank *r = &s->r[i];
        r->offset = known && !r->ended ? (double)(cs_trace_iter_clock(r->iter) - first) : 0;
        r->exit = r->offset;
        if (cs_way_jump(r, NULL, r->offset))
            return cs_error_text(s->why, s->whylen, "not enough memory");
        if (!r->ended && plan(s, r))
            return -1;
    }
    return 0;
}

/* What is known of a place only when all ranks are at their ends. */
static void finish_places(struct search *s)
{
    for (int i = 0; i < s->nranks; i++)
        for (int p = 0; p < s->r[i].nplaces; p++) {
            struct cs_wait_place *at = &s->w->place[p];
            double computing = s->r[i].computing[p], waiting = s->r[i].waiting[p];
            at->ranks += computing >= 0;
            if (computing > at->longest) {
                at->longest = computing;
                at->longest_rank = i;
            }
            if (waiting > at->most) {
                at->most = waiting;
                at->most_rank = i;
            }
        }
    for (int i = 0; i < s->nranks; i++)
        s->w->ns = s->w->rank[i].end > s->w->ns ? s->w->rank[i].end : s->w->ns;
}

static void free_search(struct search *s)
{
    cs_wait_free_calls(s);
    cs_wait_free_meetings(s);
    cs_wait_free_causes(s);
    cs_wait_free_places(s);
    for (int i = 0; s->r && i < s->nranks; i++) {
        cs_trace_iter_free(s->r[i].iter);
        cs_way_drop(s->r[i].way);
        free(s->r[i].computing);
        free(s->r[i].waiting);
        free(s->r[i].of_site);
    }
    free(s->r);
    free(s->heap);
}

static int search(struct search *s)
{
    int64_t total = 0, done = 0;
    int rc = prepare(s);
    for (int i = 0; i < s->nranks; i++)
        total += cs_trace_nevents(s->t, i);
    if (rc == 0)
        rc = first_calls(s);
    while (rc == 0 && s->nheap) {
        struct wait_turn t = take_earliest(s);
        rc = t.ends ? end(s, &s->r[t.rank]) : enter(s, &s->r[t.rank]);
        done += t.ends;
        if (s->user->progress && done % 4096 == 0)
            s->user->progress("waiting", done, total);
    }
    if (rc)
        return -1;
    finish_places(s);
    if (cs_wait_list_causes(s))
        return cs_error_text(s->why, s->whylen, "not enough memory");
    return cs_wait_critical_path(s);
}

struct cs_waits *cs_waits_find(const struct cs_trace *t, const struct cs_wait_user *u, char *errbuf, size_t errlen)
{
    struct search s = {.t = t, .user = u, .why = errbuf, .whylen = errlen};
    assert(cs_trace_info(t)->with_times);
    int rc = search(&s);
    free_search(&s);
    if (rc) {
        cs_waits_free(s.w);
        s.w = NULL;
    }
    return s.w;
}

void cs_waits_free(struct cs_waits *w)
{
    if (!w)
        return;
    free(w->place);
    free(w->rank);
    free(w->cause);
    free(w);
}
