/* SPDX-License-Identifier: BSD-3-Clause
 * Messages find their receives, in the order in which both come, and take their time on the way:
 *
 *     sender    |o|--- G per byte ---|
 *     network        |----- L -----|
 *     receiver             |--- G per byte ---|o|
 *
 * One rank's link takes one message after the other, on both sides. A large message is announced, and goes when its
 * receive is there and has said so. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "predict/network/play.h"
#include "trace/format/fields.h"

/* ---- posts ---- */

static struct envelope *new_envelope(struct play *y)
{
    struct envelope *e = y->free_envelope;
    if (!e)
        return malloc(sizeof *e);
    y->free_envelope = e->next;
    return e;
}

static void append(struct post *q, struct envelope *e)
{
    e->next = NULL;
    if (!q->first)
        q->end = &q->first;
    *q->end = e;
    q->end = &e->next;
}

static struct envelope take(struct play *y, struct post *q, struct envelope **at)
{
    struct envelope *e = *at, copy = *e;
    *at = e->next;
    if (q->end == &e->next)
        q->end = at;
    e->next = y->free_envelope;
    y->free_envelope = e;
    return copy;
}

/* The link to the first envelope that fits, or to NULL; a wildcard may be on either side. */
static struct envelope **find(const struct post *q, int ctx, int peer, int64_t tag)
{
    struct envelope **at = (struct envelope **)&q->first;
    for (; *at; at = &(*at)->next)
        if ((*at)->ctx == ctx && ((*at)->peer == peer || peer == CS_PEER_ANY || (*at)->peer == CS_PEER_ANY) &&
            ((*at)->tag == tag || tag == CS_ANY || (*at)->tag == CS_ANY))
            break;
    return at;
}

static void free_post(struct post *q)
{
    for (struct envelope *e = q->first, *next; e; e = next) {
        next = e->next;
        free(e);
    }
}

void cs_play_free_envelopes(struct play *y)
{
    for (int r = 0; y->p && r < y->nranks; r++) {
        free_post(&y->p[r].messages);
        free_post(&y->p[r].receives);
    }
    free_post(&(struct post){.first = y->free_envelope});
}

/* ---- the way of a message ---- */

static struct flight *new_flight(struct play *y, const struct flight *as)
{
    struct flight *f = y->free_flight, *made;
    if (f)
        y->free_flight = f->next;
    else if ((f = calloc(1, sizeof *f))) {
        f->next_made = y->made_flights;
        y->made_flights = f;
    } else
        return NULL;
    made = f->next_made;
    *f = *as;
    f->next_made = made;
    return f;
}

/* The sender's link takes the message at a time or as soon as it can; *sent: when it has passed it on. Returns when the
 * first byte is there. */
static double leave(struct play *y, int from, uint64_t bytes, double time, double *sent)
{
    const struct cs_network *n = y->net;
    double length = (double)bytes * n->per_byte, out = fmax(time, y->p[from].out_free);
    y->p[from].out_free = out + fmax(n->gap, length);
    *sent = out + length;
    return out + n->latency;
}

/* The receiver's link takes the message whose first byte is there; returns when all of it is. */
static double arrive(struct play *y, const struct flight *f, double time)
{
    struct player *to = &y->p[f->to];
    to->in_free = fmax(time, to->in_free) + (double)f->bytes * y->net->per_byte;
    return to->in_free;
}

static int wake_prober(struct play *y, struct player *p)
{
    bool wakes = p->probing;
    p->probing = false;
    return wakes ? cs_play_go_on(y, &p->main) : 0;
}

int cs_play_fly(struct play *y, struct flight *f, double time)
{
    double sent;
    if (f->begins) {
        double there = leave(y, f->from, f->bytes, time, &sent);
        f->begins = false;
        return cs_play_complete(y, f->from, f->from_req, sent) ? -1 : cs_play_fly_on(y, f, there);
    }
    double when = arrive(y, f, time);
    int rc;
    if (f->envelope) {
        f->envelope->when = when;
        f->envelope->flight = NULL;
        rc = wake_prober(y, &y->p[f->to]);
    } else
        rc = cs_play_complete(y, f->to, f->to_req, fmax(when, f->posted) + y->net->overhead);
    f->next = y->free_flight;
    y->free_flight = f;
    return rc;
}

/* A message that waited meets its receive. */
static int hand_over(struct play *y, int to, int to_req, const struct envelope *m, double posted)
{
    struct flight *f = new_flight(y, &(struct flight){.from = m->peer,
                                                      .to = to,
                                                      .bytes = m->bytes,
                                                      .begins = true,
                                                      .from_req = m->req,
                                                      .to_req = to_req,
                                                      .posted = posted});
    return f ? cs_play_fly_on(y, f, fmax(m->when, posted) + y->net->latency) : -1;
}

/* ---- steps ---- */

/* Sends a message at once. */
static int send_now(struct play *y, struct actor *a, const struct step *s, struct envelope *m)
{
    double sent, there = leave(y, a->rank, s->bytes, a->clock, &sent);
    m->flight = new_flight(
        y, &(struct flight){.from = a->rank, .to = s->peer, .bytes = s->bytes, .from_req = -1, .to_req = -1});
    if (!m->flight || cs_play_fly_on(y, m->flight, there))
        return -1;
    return s->req >= 0 ? cs_play_complete(y, a->rank, s->req, a->clock) : 0;
}

/* A message and a receive have found each other. */
static int meet(struct play *y, const struct envelope *m, int to, int to_req, double posted)
{
    cs_goal_meet(y, to, to_req, m);
    if (m->waits)
        return hand_over(y, to, to_req, m, posted);
    if (!m->flight)
        return cs_play_complete(y, to, to_req, fmax(m->when, posted) + y->net->overhead);
    m->flight->to_req = to_req;
    m->flight->posted = posted;
    m->flight->envelope = NULL;
    return 0;
}

int cs_play_send(struct play *y, struct actor *a, const struct step *s)
{
    struct player *to = &y->p[s->peer];
    struct envelope m = {.peer = a->rank, .ctx = s->ctx, .tag = s->tag, .bytes = s->bytes, .req = s->req};
    m.number = (uint32_t)(++y->times->messages & INT32_MAX);
    a->clock += y->net->overhead;
    m.waits = s->req >= 0 && (s->synchronous || s->bytes > y->net->eager);
    m.when = a->clock + y->net->latency;
    if (!m.waits && send_now(y, a, s, &m))
        return -1;
    struct envelope **at = find(&to->receives, s->ctx, a->rank, s->tag);
    if (*at) {
        struct envelope r = take(y, &to->receives, at);
        return meet(y, &m, s->peer, r.req, r.when);
    }
    struct envelope *e = new_envelope(y);
    if (!e)
        return -1;
    *e = m;
    if (e->flight)
        e->flight->envelope = e;
    append(&to->messages, e);
    return m.waits ? wake_prober(y, to) : 0;
}

int cs_play_receive(struct play *y, struct actor *a, const struct step *s)
{
    struct player *me = &y->p[a->rank];
    struct envelope **at = find(&me->messages, s->ctx, s->peer, s->tag);
    if (*at) {
        struct envelope m = take(y, &me->messages, at);
        return meet(y, &m, a->rank, s->req, a->clock);
    }
    struct envelope *e = new_envelope(y);
    if (!e)
        return -1;
    *e = (struct envelope){.peer = s->peer, .ctx = s->ctx, .tag = s->tag, .req = s->req, .when = a->clock};
    append(&me->receives, e);
    return 0;
}

double cs_play_probe(const struct player *p, const struct step *s)
{
    struct envelope *const *at = find(&p->messages, s->ctx, s->peer, s->tag);
    return *at && !(*at)->flight ? (*at)->when : -1;
}
