/* SPDX-License-Identifier: BSD-3-Clause
 * Turns the calls of a rank into steps. Which request a completing call means is followed as the exports do it
 * (trace/analyse/open_requests.h). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"
#include "base/grow.h"
#include "predict/network/play.h"
#include "trace/format/fields.h"

/* A call while it is read. */
struct reading {
    struct play *y;
    struct player *p;
    const struct cs_args *a;
    int *done, ndone, done_cap; /* requests that the call waits for */
};

/* ---- communicators ---- */

static struct cs_member *member(struct play *y, struct player *p, int64_t comm)
{
    return cs_member_of(&y->comms, &p->members, y->t, p->main.rank, comm);
}

/* Messages of the program and of collectives do not meet. */
static int messages_of(const struct cs_member *m)
{
    return 2 * m->number;
}

int cs_play_describe_members(struct play *y, struct player *p, const struct cs_args *a, struct rounds *r)
{
    int64_t comm = cs_args_comm_number(a);
    const struct cs_comm_def *c = cs_args_comm(a);
    struct cs_member *m = c ? member(y, p, comm) : NULL;
    if (!m || m->me < 0)
        return 0;
    r->member = c->world_ranks;
    r->n = c->nranks;
    r->me = m->me;
    r->ctx = messages_of(m) + 1;
    r->tag = a->call->flags & CS_MPI_PERSISTENT ? 0 : m->collectives++; /* else that of its start */
    return 1;
}

/* ---- messages ---- */

/* Appends a message to or from a peer and returns its request; -1: no memory. Without a peer, the request is complete
 * from the start. */
static int post(struct reading *d, const struct cs_open_request *of, bool users)
{
    bool send = of->kind == CS_REQUEST_SEND;
    int req = cs_play_request(d->p, users, send);
    struct cs_member *m = member(d->y, d->p, of->comm);
    if (req < 0)
        return -1;
    if (!m || !(of->peer >= 0 || (!send && of->peer == CS_PEER_ANY)))
        return cs_play_complete(d->y, d->p->main.rank, req, d->p->main.clock) ? -1 : req;
    struct step *s = cs_play_step(&d->p->main, send ? STEP_SEND : STEP_RECV);
    if (!s)
        return -1;
    s->peer = of->peer;
    s->ctx = messages_of(m);
    s->tag = of->tag;
    s->bytes = of->bytes;
    s->synchronous = of->flags & CS_MPI_SYNCHRONOUS;
    if (of->flags & CS_MPI_BUFFERED) /* what waits in the buffer is nobody's concern */
        return cs_play_complete(d->y, d->p->main.rank, req, d->p->main.clock) ? -1 : req;
    s->req = req;
    return req;
}

static int post_blocking(struct reading *d, bool send)
{
    const struct cs_args *a = d->a;
    struct cs_open_request of = {.kind = send ? CS_REQUEST_SEND : CS_REQUEST_RECV,
                                 .comm = cs_args_comm_number(a),
                                 .peer = cs_args_peer(a, send ? CS_ROLE_DEST : CS_ROLE_SOURCE),
                                 .tag = cs_args_tag(a, send),
                                 .bytes = send ? cs_args_sent(a) : 0,
                                 .flags = a->call->flags};
    return post(d, &of, false);
}

/* A blocking send, receive or both. */
static int blocking(struct reading *d, bool send, bool recv)
{
    int req[2], n = 0;
    if (recv && (req[n++] = post_blocking(d, false)) < 0)
        return -1;
    if (send && (req[n++] = post_blocking(d, true)) < 0)
        return -1;
    return cs_play_wait(&d->p->main, req, n);
}

static int probe(struct reading *d)
{
    if (cs_mpi_has_role(d->a->call, CS_ROLE_NEWMSG)) /* it receives: who takes the message then has not to wait */
        return blocking(d, false, true);
    struct cs_member *m = member(d->y, d->p, cs_args_comm_number(d->a));
    int peer = cs_args_peer(d->a, CS_ROLE_SOURCE);
    if (!m || (peer < 0 && peer != CS_PEER_ANY))
        return 0;
    struct step *s = cs_play_step(&d->p->main, STEP_PROBE);
    if (!s)
        return -1;
    s->peer = peer;
    s->ctx = messages_of(m);
    s->tag = cs_args_tag(d->a, false);
    return 0;
}

/* ---- requests ---- */

/* Leaves out those that are gone. */
static void tidy(struct player *p)
{
    int n = 0;
    for (int i = 0; i < p->nnamed; i++)
        if (p->named[i].req >= 0)
            p->named[n++] = p->named[i];
    p->nnamed = n;
}

static int name(struct player *p, uint64_t id, int req)
{
    if (p->nnamed == p->named_cap)
        tidy(p);
    if (!CS_MAKE_ROOM(p->named, p->nnamed, p->named_cap))
        return -1;
    assert(p->nnamed == 0 || p->named[p->nnamed - 1].id < id);
    p->named[p->nnamed++] = (struct named_request){id, req};
    return 0;
}

/* A persistent one has its arguments from the call that made it. */
static int collective_aside(struct reading *d, const struct cs_open_request *of, int req)
{
    struct rounds r = {.kind = ROUNDS_NONE};
    int rc = cs_play_describe(d->y, d->p, of->made_by ? of->made_by : d->a, &r);
    if (rc > 0 && of->made_by)
        r.tag = of->meeting;
    if (rc > 0)
        return cs_play_aside(d->y, d->p->main.rank, &r, req);
    d->y->times->not_modelled += rc == 0;
    return rc < 0 ? -1 : cs_play_complete(d->y, d->p->main.rank, req, d->p->main.clock);
}

static int started(void *arg, const struct cs_open_request *r)
{
    struct reading *d = arg;
    int req = -1;
    if (r->kind == CS_REQUEST_SEND || r->kind == CS_REQUEST_RECV)
        req = post(d, r, true);
    else if ((req = cs_play_request(d->p, true, false)) >= 0 && r->kind == CS_REQUEST_COLL) {
        if (collective_aside(d, r, req))
            return -1;
    } else if (req >= 0 && cs_play_complete(d->y, d->p->main.rank, req, d->p->main.clock))
        return -1;
    return req < 0 ? -1 : name(d->p, r->id, req);
}

static int completed(void *arg, const struct cs_open_request *r)
{
    struct reading *d = arg;
    int low = 0, high = d->p->nnamed;
    while (low < high) {
        int mid = (low + high) / 2;
        if (d->p->named[mid].id < r->id)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == d->p->nnamed || d->p->named[low].id != r->id || d->p->named[low].req < 0)
        return 0; /* MPI_Waitany has taken it */
    if (!CS_MAKE_ROOM(d->done, d->ndone, d->done_cap))
        return -1;
    d->done[d->ndone++] = d->p->named[low].req;
    d->p->named[low].req = -1;
    return 0;
}

/* ---- calls ---- */

static int collective(struct reading *d)
{
    if (cs_mpi_has_role(d->a->call, CS_ROLE_REQ_OUT))
        return 0; /* `started` has it */
    int rc = cs_play_describe(d->y, d->p, d->a, &d->p->main.rounds);
    d->y->times->not_modelled += rc == 0 && d->a->call->kind != CS_MPI_COMM_CTOR; /* freeing one waits for nobody */
    return rc < 0 ? -1 : 0;
}

static int convert(struct reading *d)
{
    switch (d->a->call->kind) {
    case CS_MPI_SEND: return blocking(d, true, false);
    case CS_MPI_RECV:
        return cs_args_comm_number(d->a) < 0 ? 0 : blocking(d, false, true); /* Mrecv: the probe has taken it */
    case CS_MPI_SENDRECV: /* of a nonblocking one, `started` has the receive */
        return !(d->a->call->flags & CS_MPI_NONBLOCKING) ? blocking(d, true, true)
               : post_blocking(d, true) < 0              ? -1
                                                         : 0;
    case CS_MPI_PROBE: return probe(d);
    case CS_MPI_COLL:
    case CS_MPI_BARRIER:
    case CS_MPI_COMM_CTOR: return collective(d);
    case CS_MPI_WAIT_SOME: return cs_play_step(&d->p->main, STEP_WAIT_ANY) ? 0 : -1;
    case CS_MPI_TEST:
    case CS_MPI_IPROBE: d->y->times->polls++; return 0;
    case CS_MPI_RMA: d->y->times->not_modelled++; return 0;
    case CS_MPI_FINALIZE: d->p->ended = true; return 0;
    default: return 0;
    }
}

/* Appends the steps of a call behind its computation. */
static int read_call(struct reading *d)
{
    bool unknown, waits = d->a->call->kind == CS_MPI_WAIT;
    int rc = convert(d);
    if (rc == 0)
        rc = cs_open_requests_event(&d->p->requests, d->a, d->p->nevents, started, completed, d, &unknown);
    if (rc == 0 && d->ndone && waits)
        rc = cs_play_wait(&d->p->main, d->done, d->ndone);
    free(d->done);
    return rc;
}

int cs_play_next_call(struct play *y, struct player *p)
{
    struct cs_event e;
    struct cs_args a;
    int rc = cs_trace_iter_next(p->iter, &e);
    if (rc <= 0)
        return rc < 0 ? cs_error_text(y->why, y->whylen, "rank %d: %s", p->main.rank, cs_trace_iter_error(p->iter)) : 0;
    if (!cs_args_get(&a, y->t, p->main.rank, &e))
        return cs_error_text(y->why, y->whylen, "rank %d, event %lld does not fit its call", p->main.rank,
                             (long long)p->nevents);
    double ns = y->user->computation(y->user->arg, p->main.rank, p->from, &e);
    assert(ns >= 0);
    p->main.clock += p->nevents > 0 ? ns : 0; /* clocks begin at MPI_Init */
    if (p->nevents > 0 && cs_goal_compute(y, &p->main, ns))
        return -1;
    p->enter = p->main.clock;
    p->site = e.site;
    struct reading d = {.y = y, .p = p, .a = &a};
    rc = read_call(&d);
    p->nevents++;
    return rc ? -1 : 1;
}
