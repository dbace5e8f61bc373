/* SPDX-License-Identifier: BSD-3-Clause
 * Turns a call into operations that it begins, and those that it waits for. Which request a completing call means is
 * followed as the exports do it (trace/analyse/open_requests.h); of calls that take any request, the trace does not say
 * which, and it is taken to be the one that was ready first. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"
#include "base/grow.h"
#include "trace/format/fields.h"
#include "trace/waits/waits_internal.h"

/* Messages up to this size usually go without their receive: MPICH's and Open MPI's limits are of this order. */
#define USUAL_EAGER 65536

/* A call while it is read. */
struct reading {
    struct search *s;
    struct rank *r;
    const struct cs_args *a;
};

static struct cs_member *member(struct reading *d, int64_t comm)
{
    return cs_member_of(&d->s->comms, &d->r->members, d->s->t, d->r->rank, comm);
}

/* ---- operations ---- */

static struct op *new_op(struct reading *d, enum op_kind kind, int ctx)
{
    struct op *o = malloc(sizeof *o);
    if (o)
        *o = (struct op){.kind = kind,
                         .rank = d->r->rank,
                         .ctx = ctx,
                         .wanted = true,
                         .posted = d->r->enter,
                         .way = cs_way_use(d->r->way),
                         .ready = -1};
    return o;
}

static int await(struct reading *d, struct op *o)
{
    if (!CS_MAKE_ROOM(d->r->awaited, d->r->nawaited, d->r->awaited_cap))
        return -1;
    d->r->awaited[d->r->nawaited++] = o;
    return 0;
}

/* Begins a message to or from a peer. *made: NULL where there is none, as the peer is nobody. 0, or -1. */
static int message(struct reading *d, struct cs_open_request of, struct op **made)
{
    bool send = of.kind == CS_REQUEST_SEND;
    struct cs_member *c = member(d, of.comm);
    *made = NULL;
    if (!c || !(of.peer >= 0 || (!send && of.peer == CS_PEER_ANY)) || of.peer >= d->s->nranks)
        return 0;
    struct op *o = new_op(d, send ? OP_SEND : OP_RECV, c->number);
    if (!o)
        return -1;
    o->peer = of.peer;
    o->tag = of.tag;
    o->blocks = (of.flags & CS_MPI_SYNCHRONOUS) || of.bytes > USUAL_EAGER;
    o->waits_not = of.flags & CS_MPI_BUFFERED;
    cs_wait_meet(d->s, o);
    *made = o;
    return 0;
}

static int blocking(struct reading *d, bool send)
{
    const struct cs_args *a = d->a;
    struct op *o;
    struct cs_open_request of = {.kind = send ? CS_REQUEST_SEND : CS_REQUEST_RECV,
                                 .peer = cs_args_peer(a, send ? CS_ROLE_DEST : CS_ROLE_SOURCE),
                                 .tag = cs_args_tag(a, send),
                                 .comm = cs_args_comm_number(a),
                                 .flags = a->call->flags,
                                 .bytes = send ? cs_args_sent(a) : 0};
    if (message(d, of, &o))
        return -1;
    return o ? await(d, o) : 0;
}

/* Of a nonblocking call, `started` has the receive, and nobody waits for what it sends. */
static int both_ways(struct reading *d)
{
    return (!(d->a->call->flags & CS_MPI_NONBLOCKING) && blocking(d, false)) || blocking(d, true) ? -1 : 0;
}

/* ---- collectives ---- */

/* Can it be told who meets in the call? */
static bool is_told(const struct cs_mpi_call *c)
{
    return !(c->flags & (CS_MPI_NEIGHBOR | CS_MPI_BY_GROUP | CS_MPI_BETWEEN_GROUPS | CS_MPI_INTERCOMM));
}

/* A scan waits for lower ranks alone, and who only hands in for nobody. */
static void set_whom(const struct cs_mpi_call *c, struct op *o, bool root)
{
    enum cs_collective which = cs_mpi_collective(c);
    o->waits = c->flags & CS_MPI_ROOT_SENDS ? CS_WAIT_ROOT : CS_WAIT_ALL;
    o->waits_not = which == CS_COLLECTIVE_SCAN || which == CS_COLLECTIVE_EXSCAN ||
                   (c->flags & CS_MPI_ROOT_SENDS && root) || (c->flags & CS_MPI_ROOT_RECVS && !root);
}

/* Comes to a collective; `of`: its request, or NULL; a persistent one's arguments are those of the call that made it.
 * *made: NULL where it is not told who meets in it. */
static int come(struct reading *d, const struct cs_open_request *of, struct op **made)
{
    const struct cs_args *a = of && of->made_by ? of->made_by : d->a;
    const struct cs_mpi_call *call = a->call;
    const struct cs_comm_def *c = cs_args_comm(a);
    int64_t comm = cs_args_comm_number(a);
    struct cs_member *m = c && is_told(call) ? member(d, comm) : NULL;
    *made = NULL;
    if (!m || m->me < 0)
        return 0;
    struct op *o = new_op(d, OP_COLLECTIVE, m->number);
    if (!o)
        return -1;
    bool root = call->flags & CS_MPI_ROOTED && cs_args_is_root(a);
    set_whom(call, o, root);
    if (cs_wait_come(d->s, o, c->nranks, of && of->made_by ? of->meeting : m->collectives++, root)) {
        cs_wait_free_op(o);
        return -1;
    }
    *made = o;
    return 0;
}

static int collective(struct reading *d)
{
    struct op *o;
    if (cs_mpi_has_role(d->a->call, CS_ROLE_REQ_OUT))
        return 0; /* `started` has it */
    if (come(d, NULL, &o))
        return -1;
    return o ? await(d, o) : 0;
}

/* ---- requests ---- */

static int name(struct rank *r, uint64_t id, struct op *o)
{
    int n = 0;
    for (int i = 0; r->nrequests == r->request_cap && i < r->nrequests; i++)
        if (r->request[i].op)
            r->request[n++] = r->request[i];
    r->nrequests = r->nrequests == r->request_cap ? n : r->nrequests;
    if (!CS_MAKE_ROOM(r->request, r->nrequests, r->request_cap))
        return -1;
    r->request[r->nrequests++] = (struct op_request){id, o};
    return 0;
}

static int started(void *arg, const struct cs_open_request *q)
{
    struct reading *d = arg;
    struct op *o = NULL;
    int rc = 0;
    if (q->kind == CS_REQUEST_SEND || q->kind == CS_REQUEST_RECV)
        rc = message(d, *q, &o);
    else if (q->kind == CS_REQUEST_COLL)
        rc = come(d, q, &o);
    return rc || (o && name(d->r, q->id, o)) ? -1 : 0;
}

static int completed(void *arg, const struct cs_open_request *q)
{
    struct reading *d = arg;
    struct rank *r = d->r;
    int low = 0, high = r->nrequests;
    while (low < high) {
        int mid = (low + high) / 2;
        if (r->request[mid].id < q->id)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == r->nrequests || r->request[low].id != q->id || !r->request[low].op)
        return 0;
    struct op *o = r->request[low].op;
    r->request[low].op = NULL;
    return await(d, o);
}

/* ---- calls ---- */

static int probe(struct reading *d)
{
    if (cs_mpi_has_role(d->a->call, CS_ROLE_NEWMSG)) /* it receives: who takes the message then has not to wait */
        return blocking(d, false);
    struct cs_member *c = member(d, cs_args_comm_number(d->a));
    int peer = cs_args_peer(d->a, CS_ROLE_SOURCE);
    if (!c || (peer < 0 && peer != CS_PEER_ANY))
        return 0;
    struct op *o = new_op(d, OP_PROBE, c->number);
    if (!o)
        return -1;
    o->peer = peer;
    o->tag = cs_args_tag(d->a, false);
    if (!await(d, o))
        return 0;
    cs_wait_free_op(o);
    return -1;
}

static int begin(struct reading *d)
{
    switch (d->a->call->kind) {
    case CS_MPI_SEND: return blocking(d, true);
    case CS_MPI_RECV: return cs_args_comm_number(d->a) < 0 ? 0 : blocking(d, false); /* Mrecv: the probe has taken it */
    case CS_MPI_SENDRECV: return both_ways(d);
    case CS_MPI_PROBE: return probe(d);
    case CS_MPI_COLL:
    case CS_MPI_BARRIER:
    case CS_MPI_COMM_CTOR: return collective(d);
    case CS_MPI_WAIT_SOME: d->r->any = true; return 0;
    default: return 0;
    }
}

int cs_wait_enter(struct search *s, struct rank *r)
{
    struct cs_args a;
    bool unknown;
    if (!cs_args_get(&a, s->t, r->rank, &r->e))
        return cs_error_text(s->why, s->whylen, "rank %d, event %lld does not fit its call", r->rank,
                             (long long)r->nevents);
    struct reading d = {.s = s, .r = r, .a = &a};
    r->any = false;
    r->several = !cs_mpi_has_role(a.call, CS_ROLE_INDEX);
    if (begin(&d) || cs_open_requests_event(&r->requests, &a, r->nevents, started, completed, &d, &unknown))
        return cs_error_text(s->why, s->whylen, "not enough memory");
    r->nevents++;
    return 0;
}

/* ---- what a call waited for ---- */

static double ready(struct rank *r, struct op *o)
{
    struct op *m = o->kind == OP_PROBE ? cs_wait_probed(r, o->ctx, o->peer, o->tag) : NULL;
    if (m && !o->by_way) {
        o->ready = m->posted;
        o->by = m->rank;
        o->by_way = cs_way_use(m->way);
    }
    return cs_wait_ready(o);
}

/* Can the rank have waited for this operation? A send that alone is the call's shows it by when it ended. */
static bool can_wait(const struct rank *r, const struct op *o)
{
    return !o->waits_not && (o->kind != OP_SEND || o->blocks || r->nawaited == 1);
}

/* Of the program's requests those that were ready when the call ended: takes the first, or all. */
static struct op *take_any(struct search *s, struct rank *r)
{
    struct op *first = NULL;
    int at = -1;
    for (int i = 0; i < r->nrequests; i++) {
        struct op *o = r->request[i].op;
        double when = o ? cs_wait_ready(o) : -1;
        if (when < 0 || when > r->exit || (first && when >= cs_wait_ready(first)))
            continue;
        first = o;
        at = i;
    }
    for (int i = 0; r->several && i < r->nrequests; i++) {
        struct op *o = r->request[i].op;
        if (i == at || !o || cs_wait_ready(o) < 0 || cs_wait_ready(o) > r->exit)
            continue;
        cs_wait_done(s, o, r->exit);
        r->request[i].op = NULL;
    }
    if (first) {
        r->request[at].op = NULL;
        r->awaited[0] = first; /* the caller has made room */
        r->nawaited = 1;
    }
    return first;
}

struct op *cs_wait_decisive(struct search *s, struct rank *r)
{
    struct op *last = NULL;
    if (r->any && !r->nawaited && CS_MAKE_ROOM_FOR(r->awaited, 1, r->awaited_cap))
        last = take_any(s, r);
    for (int i = 0; i < r->nawaited && !r->any; i++) {
        struct op *o = r->awaited[i];
        double when = can_wait(r, o) ? ready(r, o) : -1;
        if (when > r->enter && when <= r->exit && (!last || when > cs_wait_ready(last)))
            last = o;
    }
    return last && cs_wait_ready(last) > r->enter ? last : NULL;
}

void cs_wait_leave(struct search *s, struct rank *r)
{
    for (int i = 0; i < r->nawaited; i++)
        cs_wait_done(s, r->awaited[i], r->exit);
    r->nawaited = 0;
}

/* ---- the end ---- */

static void free_queue(struct cs_unmet_queue *q)
{
    for (struct cs_unmet *u = q->first, *next; u; u = next) {
        struct op *o = (struct op *)u;
        next = u->next;
        o->queued = false;
        if (!o->wanted)
            cs_wait_free_op(o);
    }
}

void cs_wait_free_calls(struct search *s)
{
    for (int i = 0; s->r && i < s->nranks; i++) {
        free_queue(&s->r[i].messages);
        free_queue(&s->r[i].receives);
    }
    for (int i = 0; s->r && i < s->nranks; i++) {
        struct rank *r = &s->r[i];
        for (int k = 0; k < r->nawaited; k++)
            cs_wait_free_op(r->awaited[k]);
        for (int k = 0; k < r->nrequests; k++)
            if (r->request[k].op)
                cs_wait_free_op(r->request[k].op);
        cs_open_requests_free(&r->requests);
        free(r->awaited);
        free(r->request);
        cs_members_free(&r->members);
    }
    cs_comm_numbers_free(s->comms);
}
