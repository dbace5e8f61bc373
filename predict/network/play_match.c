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

/* Sends from a moment on; returns when all of it is there. *sent: when the sender's link has passed it on. */
static double carry(struct play *y, int from, int to, uint64_t bytes, double begin, double *sent)
{
    const struct cs_network *n = y->net;
    struct player *s = &y->p[from], *r = &y->p[to];
    double length = (double)bytes * n->per_byte, out = fmax(begin, s->out_free);
    s->out_free = out + fmax(n->gap, length);
    double in = fmax(out + n->latency, r->in_free) + length;
    r->in_free = in;
    *sent = out + length;
    return in;
}

/* A message that waited meets its receive. Completes both. */
static int hand_over(struct play *y, int from, int from_req, int to, int to_req, const struct envelope *m,
                     double posted)
{
    double sent, begin = fmax(m->when, posted) + y->net->latency;
    double there = carry(y, from, to, m->bytes, begin, &sent);
    if (from_req >= 0 && cs_play_complete(y, from, from_req, sent))
        return -1;
    return cs_play_complete(y, to, to_req, there + y->net->overhead);
}

/* The message has been sent at once. */
static int deliver(struct play *y, int to, int to_req, double arrival, double posted)
{
    return cs_play_complete(y, to, to_req, fmax(arrival, posted) + y->net->overhead);
}

/* ---- steps ---- */

int cs_play_send(struct play *y, struct actor *a, const struct step *s)
{
    struct player *to = &y->p[s->peer];
    struct envelope m = {.peer = a->rank, .ctx = s->ctx, .tag = s->tag, .bytes = s->bytes, .req = s->req};
    double sent;
    y->times->messages++;
    a->clock += y->net->overhead;
    m.waits = s->req >= 0 && (s->synchronous || s->bytes > y->net->eager);
    m.when = m.waits ? a->clock + y->net->latency : carry(y, a->rank, s->peer, s->bytes, a->clock, &sent);
    if (!m.waits && s->req >= 0 && cs_play_complete(y, a->rank, s->req, a->clock))
        return -1;
    struct envelope **at = find(&to->receives, s->ctx, a->rank, s->tag);
    if (*at) {
        struct envelope r = take(y, &to->receives, at);
        return m.waits ? hand_over(y, a->rank, m.req, s->peer, r.req, &m, r.when)
                       : deliver(y, s->peer, r.req, m.when, r.when);
    }
    struct envelope *e = new_envelope(y);
    if (!e)
        return -1;
    *e = m;
    append(&to->messages, e);
    bool wakes = to->probing;
    to->probing = false;
    return wakes ? cs_play_go_on(y, &to->main) : 0;
}

int cs_play_receive(struct play *y, struct actor *a, const struct step *s)
{
    struct player *me = &y->p[a->rank];
    struct envelope **at = find(&me->messages, s->ctx, s->peer, s->tag);
    if (*at) {
        struct envelope m = take(y, &me->messages, at);
        return m.waits ? hand_over(y, m.peer, m.req, a->rank, s->req, &m, a->clock)
                       : deliver(y, a->rank, s->req, m.when, a->clock);
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
    return *at ? (*at)->when : -1;
}
