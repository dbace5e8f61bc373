/* SPDX-License-Identifier: BSD-3-Clause
 * Messages meet their receives in the order in which both are begun (MPI 3.1, 3.5), and members of a communicator meet
 * in its n-th collective. */
#include <assert.h>
#include <stdlib.h>

#include "trace/waits/waits_internal.h"

/* The operation hears when the other one was begun. */
static void hear(struct op *o, const struct op *of)
{
    o->ready = of->posted;
    o->by = of->rank;
    o->by_way = cs_way_use(of->way);
}

void cs_wait_free_op(struct op *o)
{
    cs_way_drop(o->way);
    cs_way_drop(o->by_way);
    free(o);
}

/* Frees it once nobody needs it. */
static void release(struct op *o)
{
    if (!o->queued && !o->wanted)
        cs_wait_free_op(o);
}

void cs_wait_meet(struct search *s, struct op *o)
{
    bool sends = o->kind == OP_SEND;
    struct rank *to = &s->r[sends ? o->peer : o->rank];
    int from = sends ? o->rank : o->peer;
    struct op *other = (struct op *)cs_unmet_take(sends ? &to->receives : &to->messages, o->ctx, from, o->tag);
    o->queued = !other;
    if (!other) {
        o->unmet = (struct cs_unmet){.comm = o->ctx, .from = from, .tag = o->tag};
        cs_unmet_add(sends ? &to->messages : &to->receives, &o->unmet);
        return;
    }
    other->queued = false;
    hear(o, other);
    hear(other, o);
    if (sends && !other->wanted) { /* received already: the clocks of the two differ */
        s->w->early++;
        s->w->earliest = o->posted - other->ended > s->w->earliest ? o->posted - other->ended : s->w->earliest;
    }
    release(other);
}

struct op *cs_wait_probed(struct rank *r, int ctx, int peer, int64_t tag)
{
    return (struct op *)cs_unmet_find(&r->messages, ctx, peer, tag);
}

int cs_wait_come(struct search *s, struct op *o, int members, int64_t number, bool root)
{
    struct meeting *m, as = {.key = {o->ctx, number}};
    HASH_FIND(hh, s->meetings, &as.key, sizeof as.key, m);
    if (!m) {
        if (!(m = calloc(1, sizeof *m)))
            return -1;
        m->key = as.key;
        m->members = members;
        m->root_time = -1;
        HASH_ADD(hh, s->meetings, key, sizeof m->key, m);
    }
    if (m->members != members || m->came == members) { /* the trace is wrong about who meets */
        o->waits_not = true;
        return 0;
    }
    o->meeting = m;
    m->came++;
    cs_way_drop(m->last_way);
    m->last = o->posted;
    m->last_rank = o->rank;
    m->last_way = cs_way_use(o->way);
    if (root) {
        m->root_time = o->posted;
        m->root_rank = o->rank;
        m->root_way = cs_way_use(o->way);
    }
    return 0;
}

double cs_wait_ready(struct op *o)
{
    const struct meeting *m = o->meeting;
    if (!m)
        return o->ready;
    bool root = o->waits == CS_WAIT_ROOT;
    if (o->waits_not || (root ? m->root_time < 0 : m->came < m->members))
        return -1;
    o->by = root ? m->root_rank : m->last_rank;
    if (!o->by_way)
        o->by_way = cs_way_use(root ? m->root_way : m->last_way);
    return root ? m->root_time : m->last;
}

static void free_meeting(struct search *s, struct meeting *m)
{
    HASH_DEL(s->meetings, m);
    cs_way_drop(m->last_way);
    cs_way_drop(m->root_way);
    free(m);
}

void cs_wait_done(struct search *s, struct op *o, double time)
{
    if (o->meeting && ++o->meeting->gone == o->meeting->members)
        free_meeting(s, o->meeting);
    o->wanted = false;
    o->ended = time;
    release(o);
}

void cs_wait_free_meetings(struct search *s)
{
    struct meeting *m, *next;
    HASH_ITER (hh, s->meetings, m, next)
        free_meeting(s, m);
}
