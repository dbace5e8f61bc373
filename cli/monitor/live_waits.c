/* SPDX-License-Identifier: BSD-3-Clause
 * Who waits for whom: from a receive, a send or a request to its peer; from a collective call to a rank of the same
 * communicator that is not in it. Each rank waits for one at most, so a chain is followed from each rank. */
#include "cli/monitor/live_view.h"

/* Is the rank in a collective call of this communicator? */
static bool is_in(const struct cs_rank_view *r, uint64_t comm)
{
    return r->at == CS_AT_CALL && r->calls.waits == CS_LIVE_FOR_ALL && r->calls.comm == comm;
}

/* Of a call that all ranks have to make, one that is not in it: first one that computes. -1: all are, or who belongs to
 * the communicator is not known. */
static int late_one(const struct cs_live_view *v, const struct cs_live_calls *c)
{
    int late = -1;
    if (c->members != v->nranks)
        return -1;
    for (int i = 0; i < v->nranks; i++) {
        const struct cs_rank_view *r = &v->rank[i];
        if (is_in(r, c->comm) || r->at == CS_AT_ELSEWHERE)
            continue;
        if (r->at != CS_AT_CALL)
            return i;
        late = late < 0 ? i : late;
    }
    return late;
}

static int waits_for(const struct cs_live_view *v, const struct cs_rank_view *r)
{
    const struct cs_live_calls *c = &r->calls;
    if (r->at != CS_AT_CALL && r->at != CS_AT_STOPPED)
        return -1;
    if (c->state != CS_LIVE_IN_CALL)
        return -1;
    if (c->waits == CS_LIVE_FOR_PEER)
        return c->peer >= 0 && c->peer < v->nranks ? c->peer : -1;
    return c->waits == CS_LIVE_FOR_ALL ? late_one(v, c) : -1;
}

/* Ranks that the chain from `first` has, at most all; *circle: it comes back to one of them. */
static int follow(const struct cs_live_view *v, int first, bool *circle)
{
    int n = 1;
    for (int i = v->rank[first].waits_for; i >= 0 && n <= v->nranks; i = v->rank[i].waits_for)
        n++;
    *circle = n > v->nranks;
    return *circle ? v->nranks : n;
}

/* The ranks of a circle, once each, from its lowest one; `first` leads into it. */
static int walk_circle(struct cs_live_view *v, int first)
{
    int n = 0, in = first;
    for (int i = 0; i < v->nranks; i++)
        in = v->rank[in].waits_for;
    int lowest = in;
    for (int i = v->rank[in].waits_for; i != in; i = v->rank[i].waits_for)
        lowest = i < lowest ? i : lowest;
    in = lowest;
    for (int i = in; n == 0 || i != in; i = v->rank[i].waits_for)
        v->chain[n++] = i;
    return n;
}

void cs_live_waits(struct cs_live_view *v)
{
    int most = 1, first = -1;
    for (int i = 0; i < v->nranks; i++)
        v->rank[i].waits_for = waits_for(v, &v->rank[i]);
    for (int i = 0; i < v->nranks; i++) {
        bool circle;
        int n = follow(v, i, &circle);
        if ((n > most && !v->circle) || (circle && !v->circle)) {
            most = n;
            first = i;
            v->circle = circle;
        }
    }
    if (v->circle) {
        v->nchain = walk_circle(v, first);
        return;
    }
    for (int i = first; i >= 0; i = v->rank[i].waits_for)
        v->chain[v->nchain++] = i;
}
