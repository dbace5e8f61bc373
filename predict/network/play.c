/* SPDX-License-Identifier: BSD-3-Clause
 * Plays the steps of all ranks in the order of their clocks: the one that is earliest goes on until it waits or another
 * one is earlier. So messages that any receive may take come in the order in which they would. */
#include "predict/network/play.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"
#include "base/grow.h"

/* ---- the heap ---- */

static void sift_down(struct play *y, int i)
{
    for (int least;; i = least) {
        least = i;
        for (int c = 2 * i + 1; c <= 2 * i + 2 && c < y->nheap; c++)
            if (y->heap[c].time < y->heap[least].time)
                least = c;
        if (least == i)
            return;
        struct event e = y->heap[i];
        y->heap[i] = y->heap[least];
        y->heap[least] = e;
    }
}

static int add_event(struct play *y, struct event e)
{
    if (!CS_MAKE_ROOM(y->heap, y->nheap, y->heap_cap))
        return -1;
    int i = y->nheap++;
    for (; i > 0 && y->heap[(i - 1) / 2].time > e.time; i = (i - 1) / 2)
        y->heap[i] = y->heap[(i - 1) / 2];
    y->heap[i] = e;
    return 0;
}

int cs_play_go_on(struct play *y, struct actor *a)
{
    return add_event(y, (struct event){.time = a->clock, .actor = a});
}

int cs_play_fly_on(struct play *y, struct flight *f, double time)
{
    return add_event(y, (struct event){.time = time, .flight = f});
}

static struct event take_earliest(struct play *y)
{
    assert(y->nheap > 0);
    struct event e = y->heap[0];
    y->heap[0] = y->heap[--y->nheap];
    sift_down(y, 0);
    return e;
}

/* ---- requests ---- */

int cs_play_request(struct player *p, bool users, bool sends)
{
    int i = p->free_req;
    if (i >= 0)
        p->free_req = p->req[i].next;
    else if (CS_MAKE_ROOM(p->req, p->nreqs, p->req_cap))
        i = p->nreqs++;
    else
        return -1;
    p->req[i] = (struct request){.open = true, .users = users, .sends = sends, .next = -1};
    return i;
}

void cs_play_free_request(struct player *p, int req)
{
    assert(!p->req[req].open && !p->req[req].waiter);
    p->req[req].next = p->free_req;
    p->free_req = req;
}

int cs_play_complete(struct play *y, int rank, int req, double when)
{
    struct player *p = &y->p[rank];
    struct request *r = &p->req[req];
    struct actor *a = r->waiter;
    assert(r->open && isfinite(when));
    r->open = false;
    r->done = when;
    r->waiter = NULL;
    if (!a) {
        bool wakes = p->any && r->users;
        p->any &= !wakes;
        return wakes ? cs_play_go_on(y, &p->main) : 0;
    }
    a->latest = fmax(a->latest, when);
    if (--a->pending > 0)
        return 0;
    a->clock = fmax(a->clock, a->latest);
    return cs_play_go_on(y, a);
}

/* ---- steps ---- */

struct step *cs_play_step(struct actor *a, enum step_kind kind)
{
    if (!CS_MAKE_ROOM(a->step, a->nsteps, a->step_cap))
        return NULL;
    struct step *s = &a->step[a->nsteps++];
    *s = (struct step){.kind = kind, .req = -1};
    return s;
}

int cs_play_wait(struct actor *a, const int *req, int n)
{
    static const enum step_kind kinds[] = {STEP_WAIT, STEP_FORGET};
    if (!CS_MAKE_ROOM_FOR(a->wait, a->nwait + n, a->wait_cap))
        return -1;
    for (int i = 0; i < 2; i++) {
        struct step *s = cs_play_step(a, kinds[i]);
        if (!s)
            return -1;
        s->req = a->nwait;
        s->n = n;
    }
    for (int i = 0; i < n; i++)
        a->wait[a->nwait++] = req[i];
    return 0;
}

int cs_play_aside(struct play *y, int rank, const struct rounds *r, int req)
{
    struct actor *a = y->free_actor;
    if (a)
        y->free_actor = a->next_free;
    else if ((a = calloc(1, sizeof *a))) {
        a->next_made = y->made;
        y->made = a;
    } else
        return -1;
    a->rank = rank;
    a->clock = y->p[rank].main.clock;
    a->goal = y->p[rank].main.goal;
    a->rounds = *r;
    a->done_req = req;
    return cs_play_go_on(y, a);
}

/* Waits for the requests of a step, which are gone then. True: all of them are complete. */
static bool wait_for(struct player *p, struct actor *a, const struct step *s)
{
    for (int i = 0; i < s->n; i++) {
        int k = a->wait[s->req + i];
        if (p->req[k].open) {
            assert(!p->req[k].waiter);
            p->req[k].waiter = a;
            a->pending++;
        } else
            a->latest = fmax(a->latest, p->req[k].done);
    }
    if (a->pending == 0)
        a->clock = fmax(a->clock, a->latest);
    return a->pending == 0;
}

static void forget_waits(struct player *p, struct actor *a, const struct step *s)
{
    for (int i = 0; i < s->n; i++)
        cs_play_free_request(p, a->wait[s->req + i]);
    a->latest = 0;
}

/* Of the program's requests, takes the one that is complete first, receives before sends. True: it is found. */
static bool take_any(struct play *y, struct player *p)
{
    int best = -1;
    bool open = false;
    for (int i = 0; i < p->nnamed; i++) {
        int k = p->named[i].req;
        if (k < 0)
            continue;
        open = true;
        if (p->req[k].open || (best >= 0 && p->req[p->named[best].req].sends < p->req[k].sends))
            continue;
        const struct request *b = best >= 0 ? &p->req[p->named[best].req] : NULL;
        if (!b || b->sends > p->req[k].sends || b->done > p->req[k].done)
            best = i;
    }
    if (best < 0)
        return !open;
    p->main.clock = fmax(p->main.clock, p->req[p->named[best].req].done);
    cs_goal_wait(y, &p->main, &p->named[best].req, 1);
    cs_play_free_request(p, p->named[best].req);
    p->named[best].req = -1;
    return true;
}

/* Plays the actor's next step. 1: it goes on, 0: it waits, and somebody will put it back, -1: no memory. */
static int play_step(struct play *y, struct actor *a)
{
    struct player *p = &y->p[a->rank];
    struct step *s = &a->step[a->at];
    switch (s->kind) {
    case STEP_COMPUTE:
        a->clock += s->ns;
        if (cs_goal_compute(y, a, s->ns))
            return -1;
        break;
    case STEP_SEND:
        if (cs_goal_message(y, a, s) || cs_play_send(y, a, s))
            return -1;
        break;
    case STEP_RECV:
        if (cs_goal_message(y, a, s) || cs_play_receive(y, a, s))
            return -1;
        break;
    case STEP_WAIT:
        if (cs_goal_wait(y, a, a->wait + s->req, s->n))
            return -1;
        a->at++;
        return wait_for(p, a, s);
    case STEP_FORGET: forget_waits(p, a, s); break;
    case STEP_WAIT_ANY:
        p->any = !take_any(y, p);
        if (p->any)
            return 0;
        break;
    case STEP_PROBE: {
        double when = cs_play_probe(p, s);
        p->probing = when < 0;
        if (p->probing)
            return 0;
        a->clock = fmax(a->clock, when);
        break;
    }
    }
    a->at++;
    return 1;
}

/* ---- actors ---- */

/* The rank has played a call to its end. */
static void end_call(struct play *y, struct player *p)
{
    struct cs_played_call c = {p->main.rank, p->site, p->enter, p->main.clock};
    y->times->calls++;
    if (y->user->played)
        y->user->played(y->user->arg, &c);
    p->from = p->site;
}

static int end_aside(struct play *y, struct actor *a)
{
    int rc = cs_goal_end_aside(y, a) || cs_play_complete(y, a->rank, a->done_req, a->clock) ? -1 : 0;
    free(a->rounds.each);
    *a = (struct actor){.step = a->step,
                        .wait = a->wait,
                        .step_cap = a->step_cap,
                        .wait_cap = a->wait_cap,
                        .next_made = a->next_made,
                        .next_free = y->free_actor};
    y->free_actor = a;
    return rc;
}

/* Fills an actor that has no more steps. 1: it goes on, 0: it has ended, -1: error. */
static int refill(struct play *y, struct actor *a)
{
    struct player *p = &y->p[a->rank];
    a->nsteps = a->at = a->nwait = 0;
    int rc = cs_play_round(y, a);
    if (rc)
        return rc;
    if (!a->main)
        return end_aside(y, a);
    free(a->rounds.each);
    a->rounds = (struct rounds){.kind = ROUNDS_NONE};
    if (p->nevents > 0)
        end_call(y, p);
    rc = p->ended ? 0 : cs_play_next_call(y, p);
    p->ended |= rc == 0;
    return rc;
}

/* Lets an actor go on until it waits, has ended, or is not the earliest any more. 0, or -1. */
static int run(struct play *y, struct actor *a)
{
    int rc = 1;
    while (rc == 1) {
        if (y->nheap && y->heap[0].time < a->clock)
            return cs_play_go_on(y, a);
        rc = a->at < a->nsteps ? play_step(y, a) : refill(y, a);
    }
    return rc;
}

/* ---- the whole ---- */

static int prepare(struct play *y)
{
    y->nranks = cs_trace_info(y->t)->nranks;
    y->p = calloc((size_t)y->nranks, sizeof *y->p);
    for (int r = 0; y->p && r < y->nranks; r++) {
        struct player *p = &y->p[r];
        p->main = (struct actor){.rank = r, .main = true, .done_req = -1};
        p->free_req = p->from = p->site = -1;
        if (cs_trace_rank_state(y->t, r) == CS_RANK_MISSING)
            return cs_error_text(y->why, y->whylen, "the trace has nothing of rank %d", r);
        p->iter = cs_trace_iter_open(y->t, r);
        if (!p->iter || cs_play_go_on(y, &p->main))
            return cs_error_text(y->why, y->whylen, "not enough memory");
    }
    return y->p ? 0 : cs_error_text(y->why, y->whylen, "not enough memory");
}

/* All ranks are at their ends, or there is a reason. */
static int check_ends(const struct play *y)
{
    int n = 0, first = -1;
    for (int r = y->nranks - 1; r >= 0; r--)
        if (!y->p[r].ended) {
            first = r;
            n++;
        }
    if (!n)
        return 0;
    const struct cs_site *s = y->p[first].site >= 0 ? cs_trace_site(y->t, first, y->p[first].site) : NULL;
    return cs_error_text(y->why, y->whylen, "%d of %d ranks would wait for ever, rank %d at %s:%d", n, y->nranks, first,
                         s && s->file ? s->file : "an unknown place", s ? s->line : 0);
}

static void free_steps(struct actor *a)
{
    free(a->step);
    free(a->wait);
    free(a->rounds.each);
}

static void free_play(struct play *y)
{
    for (int r = 0; y->p && r < y->nranks; r++) {
        struct player *p = &y->p[r];
        cs_trace_iter_free(p->iter);
        cs_open_requests_free(&p->requests);
        free(p->named);
        free(p->req);
        cs_members_free(&p->members);
        free_steps(&p->main);
    }
    cs_play_free_envelopes(y);
    cs_comm_numbers_free(y->comms);
    for (struct flight *f = y->made_flights, *n; f; f = n) {
        n = f->next_made;
        free(f);
    }
    for (struct actor *a = y->made, *n; a; a = n) {
        n = a->next_made;
        free_steps(a);
        free(a);
    }
    free(y->heap);
    free(y->p);
}

static int play_all(struct play *y)
{
    cs_error_text(y->why, y->whylen, "not enough memory");
    int rc = prepare(y);
    while (rc == 0 && y->nheap) {
        struct event e = take_earliest(y);
        rc = e.actor ? run(y, e.actor) : cs_play_fly(y, e.flight, e.time);
    }
    rc = rc ? -1 : check_ends(y);
    for (int r = 0; rc == 0 && r < y->nranks; r++)
        y->times->seconds = fmax(y->times->seconds, y->p[r].enter * 1e-9);
    free_play(y);
    return rc;
}

int cs_network_play(const struct cs_trace *t, const struct cs_network *n, const struct cs_network_user *u,
                    struct cs_network_times *times, char *why, size_t whylen)
{
    *times = (struct cs_network_times){0};
    return play_all(&(struct play){.t = t, .net = n, .user = u, .times = times, .why = why, .whylen = whylen});
}

int cs_network_goal(const struct cs_trace *t, const struct cs_network *n, const struct cs_network_user *u,
                    struct cs_network_times *times, FILE *out, char *why, size_t whylen)
{
    *times = (struct cs_network_times){0};
    struct cs_goal *goal = cs_goal_new(cs_trace_info(t)->nranks);
    struct play y = {.t = t, .net = n, .user = u, .goal = goal, .times = times, .why = why, .whylen = whylen};
    int rc = goal ? play_all(&y) : cs_error_text(why, whylen, "not enough memory");
    if (rc == 0)
        cs_goal_write(goal, out);
    cs_goal_free(goal);
    return rc;
}
