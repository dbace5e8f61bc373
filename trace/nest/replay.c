/* SPDX-License-Identifier: BSD-3-Clause
 * Plays the matching of all ranks' calls in the order of the nest, to see whether the run can end. One rank at a time
 * plays its operations (replay_read.c) until it has to wait. A wildcard receive takes the message that comes first in
 * the replay, which may be another one than in the run. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/format/fields.h"
#include "base/error_text.h"
#include "trace/nest/replay_internal.h"

/* ---- playing ---- */

static void make_ready(struct play *y, int rank)
{
    assert(y->nready < y->m->info.nranks);
    y->ready[y->nready++] = rank;
}

/* Completes a request of a rank, which can go on if it was the last one that it waits for. */
static void complete(struct play *y, int rank, int req)
{
    struct player *p = &y->p[rank];
    assert(req >= 0 && (size_t)req < p->nreqs);
    bool waited = p->req[req] == REQ_WAITED;
    p->req[req] = REQ_DONE;
    if (waited && --p->pending == 0)
        make_ready(y, rank);
}

static void append(struct queue *q, struct message *m)
{
    m->next = NULL;
    if (!q->first)
        q->end = &q->first;
    *q->end = m;
    q->end = &m->next;
}

static void unlink_message(struct queue *q, struct message **at)
{
    struct message *m = *at;
    *at = m->next;
    if (q->end == &m->next)
        q->end = at;
    free(m);
}

/* The link to the first message of the queue that fits, or to NULL; a wildcard may be on either side. */
static struct message **find(struct queue *q, int ctx, int rank, int tag)
{
    struct message **at = &q->first;
    for (; *at; at = &(*at)->next)
        if ((*at)->ctx == ctx && ((*at)->rank == rank || rank == CS_ANY || (*at)->rank == CS_ANY) &&
            ((*at)->tag == tag || tag == CS_ANY || (*at)->tag == CS_ANY))
            break;
    return at;
}

static int enqueue(struct queue *q, int rank, const struct op *o)
{
    struct message *m = malloc(sizeof *m);
    if (!m)
        return -1;
    *m = (struct message){.rank = rank, .ctx = o->ctx, .tag = o->tag, .req = o->req};
    append(q, m);
    return 0;
}

static int send_message(struct play *y, int rank, const struct op *o)
{
    struct player *to = &y->p[o->peer];
    struct message **at = find(&to->recvs, o->ctx, rank, o->tag);
    if (*at) {
        int req = (*at)->req;
        unlink_message(&to->recvs, at);
        complete(y, rank, o->req);
        complete(y, o->peer, req);
        return 0;
    }
    if (enqueue(&to->sends, rank, o))
        return -1;
    if (y->buffered)
        complete(y, rank, o->req);
    if (to->probing) {
        to->probing = false;
        make_ready(y, o->peer);
    }
    return 0;
}

static int receive(struct play *y, int rank, const struct op *o)
{
    struct player *me = &y->p[rank];
    struct message **at = find(&me->sends, o->ctx, o->peer, o->tag);
    if (!*at)
        return enqueue(&me->recvs, o->peer, o);
    struct message m = **at;
    unlink_message(&me->sends, at);
    complete(y, rank, o->req);
    if (!y->buffered)
        complete(y, m.rank, m.req);
    return 0;
}

/* Takes back a receive of the rank that has no message. A trace does not say whether cancelling came too late; in the
 * replay a message that comes later has to be received by another call. */
static void cancel(struct play *y, int rank, int req)
{
    struct queue *q = &y->p[rank].recvs;
    struct message **at = &q->first;
    while (*at && (*at)->req != req)
        at = &(*at)->next;
    if (!*at)
        return;
    unlink_message(q, at);
    complete(y, rank, req);
}

static int group_size(const struct play *y, int ctx)
{
    int comm = 0;
    while (comm + 1 < y->m->ncomms && y->ctx_base[comm + 1] <= ctx)
        comm++;
    return y->m->comm[comm].group[ctx - y->ctx_base[comm]].total;
}

/* The number, from 0, of the collective of the group that the rank comes to; counts it. -1: no memory. */
static int count_collective(struct play *y, int rank, int ctx)
{
    struct count key = {.k = {rank, ctx}}, *c;
    HASH_FIND(hh, y->counts, &key.k, sizeof key.k, c);
    if (!c) {
        if (!(c = malloc(sizeof *c)))
            return -1;
        *c = key;
        HASH_ADD(hh, y->counts, k, sizeof c->k, c);
    }
    return c->n++;
}

/* The rank comes to a collective; the last one of the group completes the requests of all. 0, or -1: no memory. */
static int meet(struct play *y, int rank, const struct op *o)
{
    int size = group_size(y, o->ctx), number = count_collective(y, rank, o->ctx);
    struct meeting key = {.k = {o->ctx, number}}, *g;
    if (number < 0)
        return -1;
    HASH_FIND(hh, y->meetings, &key.k, sizeof key.k, g);
    if (!g) {
        if (!(g = malloc(sizeof *g)))
            return -1;
        *g = key;
        HASH_ADD(hh, y->meetings, k, sizeof g->k, g);
        if (!(g->who = malloc((size_t)size * sizeof *g->who)))
            return -1;
    }
    g->who[g->came].rank = rank;
    g->who[g->came++].req = o->req;
    if (g->came < size)
        return 0;
    for (int i = 0; i < size; i++)
        complete(y, g->who[i].rank, g->who[i].req);
    HASH_DEL(y->meetings, g);
    free(g->who);
    free(g);
    return 0;
}

/* Marks the open requests of a WAIT as waited for. True if there are any, so that the rank has to wait. */
static bool wait_for(struct player *p, const struct op *o)
{
    const int *req = &p->wait[o->req + 1];
    for (int i = 0; i < p->wait[o->req]; i++)
        if (p->req[req[i]] == REQ_OPEN) {
            p->req[req[i]] = REQ_WAITED;
            p->pending++;
        }
    return p->pending > 0;
}

/* Lets a rank run until it waits. */
static int run(struct play *y, int rank)
{
    struct player *p = &y->p[rank];
    while (p->at < p->nops) {
        const struct op *o = &p->op[p->at];
        int rc = 0;
        switch ((enum op_kind)o->kind) {
        case OP_SEND: rc = send_message(y, rank, o); break;
        case OP_RECV: rc = receive(y, rank, o); break;
        case OP_COLL: rc = meet(y, rank, o); break;
        case OP_PROBE:
            if (!*find(&p->sends, o->ctx, o->peer, o->tag)) {
                p->probing = true;
                return 0;
            }
            break;
        case OP_CANCEL: cancel(y, rank, o->req); break;
        case OP_WAIT:
            if (wait_for(p, o)) {
                p->at++;
                return 0;
            }
            break;
        }
        if (rc)
            return -1;
        p->at++;
    }
    return 0;
}

static bool is_blocked(const struct player *p)
{
    return p->pending > 0 || p->at < p->nops;
}

/* Writes to `why` how many ranks are blocked, and the call that the first of them is in. */
static void explain(const struct play *y, char *why, size_t whylen)
{
    int blocked = 0, first = -1;
    for (int r = 0; r < y->m->info.nranks; r++)
        if (is_blocked(&y->p[r])) {
            blocked++;
            first = first < 0 ? r : first;
        }
    const struct player *p = &y->p[first];
    const struct op *o = &p->op[p->at ? p->at - (p->pending > 0) : 0];
    const struct cs_nest_node *n = &y->m->node[o->node];
    const struct cs_merged_symbol *l = &y->m->symbol[n->value];
    const struct cs_merged_part *part = cs_merged_part_of(l, y->m->class_of[first]);
    int site = part ? y->m->record[part->record].site : -1;
    int len = snprintf(why, whylen, "%d of %d ranks would wait for ever; rank %d in %s", blocked, y->m->info.nranks,
                       first, cs_mpi_call(l->call)->name);
    if (site >= 0 && y->m->site[site].file && len > 0 && (size_t)len < whylen)
        snprintf(why + len, whylen - (size_t)len, " at %s:%d", y->m->site[site].file, y->m->site[site].line);
}

static int play(struct play *y, char *why, size_t whylen)
{
    for (int r = y->m->info.nranks - 1; r >= 0; r--)
        make_ready(y, r);
    while (y->nready)
        if (run(y, y->ready[--y->nready]))
            return -1;
    for (int r = 0; r < y->m->info.nranks; r++)
        if (is_blocked(&y->p[r])) {
            explain(y, why, whylen);
            return 0;
        }
    return 1;
}

static void free_queue(struct queue *q)
{
    while (q->first) {
        struct message *m = q->first;
        q->first = m->next;
        free(m);
    }
}

static void free_play(struct play *y)
{
    struct meeting *g, *gn;
    struct count *c, *cn;
    for (int r = 0; y->p && r < y->m->info.nranks; r++) {
        free(y->p[r].op);
        free(y->p[r].wait);
        free(y->p[r].req);
        free_queue(&y->p[r].sends);
        free_queue(&y->p[r].recvs);
    }
    HASH_ITER (hh, y->meetings, g, gn) {
        HASH_DEL(y->meetings, g);
        free(g->who);
        free(g);
    }
    HASH_ITER (hh, y->counts, c, cn) {
        HASH_DEL(y->counts, c);
        free(c);
    }
    free(y->p);
    free(y->ctx_base);
    free(y->ready);
}

static int prepare(struct play *y)
{
    const struct cs_merged *m = y->m;
    y->p = calloc((size_t)m->info.nranks, sizeof *y->p);
    y->ctx_base = malloc(((size_t)m->ncomms + 1) * sizeof *y->ctx_base);
    y->ready = malloc(((size_t)m->info.nranks + 1) * sizeof *y->ready);
    if (!y->p || !y->ctx_base || !y->ready)
        return -1;
    for (int i = 0, at = 0; i < m->ncomms; at += m->comm[i++].ngroups)
        y->ctx_base[i] = at;
    return 0;
}

int cs_merged_replay(const struct cs_merged *m, bool buffered, int64_t max_iterations, int64_t limit, char *why,
                     size_t whylen)
{
    struct play y = {.m = m, .buffered = buffered, .limit = limit > 0 ? limit : INT64_MAX};
    struct cs_merged_walk **walk = calloc((size_t)m->nclasses + 1, sizeof *walk);
    int rc = walk ? prepare(&y) : -1;
    for (int r = 0; r < m->info.nranks && rc == 0; r++)
        rc = cs_replay_read(&y, r, max_iterations, &walk[m->class_of[r]]);
    if (rc == 0)
        rc = play(&y, why, whylen);
    if (rc < 0)
        cs_error_text(why, whylen, rc == -2 ? "it has more than %" PRId64 " calls" : "memory is short", limit);
    for (int c = 0; walk && c < m->nclasses; c++)
        cs_merged_walk_free(walk[c]);
    free(walk);
    free_play(&y);
    return rc < 0 ? -1 : rc;
}
