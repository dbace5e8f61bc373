/* SPDX-License-Identifier: BSD-3-Clause
 * Turns a rank's calls into primitive operations for the replay: post a send, post a receive, come to a collective,
 * wait for requests. Calls are read in the original order, in which requests are counted, and then put into the order
 * of the nest. A call whose completion depends on timing (MPI_Waitany, MPI_Test) waits for nothing. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/format/fields.h"
#include "trace/nest/replay_internal.h"

/* ---- calls to operations ---- */

/* A rank while its calls are read, in their original order. */
struct reading {
    struct play *y;
    struct player *p;
    int rank;
    int *user, nuser; /* the program's own requests, in order of creation */
    size_t user_cap;
    struct op *persistent; /* persistent requests, in order of creation; ctx -1: it sends or receives nothing */
    int npersistent;
    size_t persistent_cap;
};

static int new_request(struct player *p)
{
    if (!CS_MAKE_ROOM_FOR(p->req, p->nreqs + 1, p->req_cap))
        return -1;
    p->req[p->nreqs] = REQ_OPEN;
    return (int)p->nreqs++;
}

static int add_op(struct player *p, struct op o)
{
    if (!CS_MAKE_ROOM_FOR(p->op, p->nops + 1, p->op_cap))
        return -1;
    p->op[p->nops++] = o;
    return 0;
}

static int add_word(struct player *p, int v)
{
    if (!CS_MAKE_ROOM_FOR(p->wait, p->nwait + 1, p->wait_cap))
        return -1;
    p->wait[p->nwait++] = v;
    return 0;
}

/* Appends a wait for n requests, on behalf of the call at the node. */
static int add_wait(struct player *p, const int *req, int n, int64_t node)
{
    int first = (int)p->nwait, rc = add_word(p, n);
    for (int i = 0; i < n && !rc; i++)
        rc = add_word(p, req[i]);
    return rc ? -1 : add_op(p, (struct op){.kind = OP_WAIT, .req = first, .node = node});
}

/* The arguments of a call that matter here; comm -1: none, stag: the send's tag, rtag: the receive's. */
struct call {
    const struct cs_mpi_call *c;
    int64_t dest, source, stag, rtag, comm;
    const int64_t *req; /* of completing and starting calls */
    int64_t nreq;
    bool partial; /* which requests it completes depends on timing */
    int64_t node;
};

static void take_field(struct call *k, const struct cs_field *f)
{
    switch (f->arg->role) {
    case CS_ROLE_DEST: k->dest = f->values[0]; break;
    case CS_ROLE_SOURCE: k->source = f->values[0]; break;
    case CS_ROLE_TAG:
        if (k->stag == CS_UNUSED)
            k->stag = f->values[0];
        k->rtag = f->values[0];
        break;
    case CS_ROLE_COMM:
        if (k->comm < 0)
            k->comm = f->values[0];
        break;
    case CS_ROLE_REQ_INOUT:
    case CS_ROLE_REQS:
        k->req = f->values;
        k->nreq = f->n;
        k->partial = f->shape == CS_FIELD_LENGTH;
        break;
    default: break;
    }
}

static struct call read_call(const struct cs_event *e, int64_t node)
{
    struct call k = {.c = cs_mpi_call(e->call),
                     .dest = CS_PROC_NULL,
                     .source = CS_PROC_NULL,
                     .stag = CS_UNUSED,
                     .comm = -1,
                     .node = node};
    struct cs_field f;
    int arg = 0, at = 0;
    while (cs_field_next(e, &arg, &at, &f) == 1)
        take_field(&k, &f);
    return k;
}

static int ctx_of(const struct play *y, int64_t comm, int rank)
{
    const struct cs_merged_comm *c = &y->m->comm[comm];
    return y->ctx_base[comm] + (c->group_of ? c->group_of[rank] : 0);
}

/* Fills in *o for a message that the call sends or receives; false if there is none (null peer, not in the group). */
static bool address(const struct reading *d, const struct call *k, bool send, struct op *o)
{
    int64_t peer = send ? k->dest : k->source;
    *o = (struct op){
        .kind = send ? OP_SEND : OP_RECV, .tag = (int)(send ? k->stag : k->rtag), .peer = (int)peer, .node = k->node};
    if (k->comm < 0 || k->comm >= d->y->m->ncomms || peer > INT32_MAX || (peer < 0 && (send || peer != CS_ANY)))
        return false;
    const struct cs_ranges *g = cs_merged_group_of(d->y->m, (int)k->comm, d->rank);
    o->ctx = ctx_of(d->y, k->comm, d->rank);
    if (peer >= 0)
        o->peer = cs_ranges_at(g, (int)peer);
    return (peer == CS_ANY || o->peer >= 0) && cs_ranges_find(g, d->rank) >= 0;
}

/* Posts a message; *req is its request, done from the start if there is no message. */
static int post(struct reading *d, const struct call *k, bool send, int *req)
{
    struct op o;
    if ((*req = new_request(d->p)) < 0)
        return -1;
    if (!address(d, k, send, &o)) {
        d->p->req[*req] = REQ_DONE;
        return 0;
    }
    o.req = *req;
    return add_op(d->p, o);
}

static int user_request(struct reading *d, int req)
{
    if (!CS_MAKE_ROOM_FOR(d->user, (size_t)d->nuser + 1, d->user_cap))
        return -1;
    d->user[d->nuser++] = req;
    return 0;
}

/* A blocking send, receive or both: posts them and waits for them, but not for a send that is buffered. */
static int blocking(struct reading *d, const struct call *k, bool send, bool recv)
{
    int req[2], n = 0;
    if ((recv && post(d, k, false, &req[n++])) || (send && post(d, k, true, &req[n++])))
        return -1;
    return send && !recv && (d->y->buffered || k->c->flags & CS_MPI_BUFFERED) ? 0 : add_wait(d->p, req, n, k->node);
}

/* A collective. Those over other members than the communicator's group (intercommunicators, groups) count as done. */
static bool meets(const struct reading *d, const struct call *k)
{
    bool other_members = k->c->flags & (CS_MPI_BY_GROUP | CS_MPI_INTERCOMM);
    return !other_members && k->comm >= 0 &&
           cs_ranges_find(cs_merged_group_of(d->y->m, (int)k->comm, d->rank), d->rank) >= 0;
}

static int collective(struct reading *d, const struct call *k)
{
    int req = new_request(d->p);
    if (req < 0)
        return -1;
    if (!meets(d, k))
        d->p->req[req] = REQ_DONE;
    else if (add_op(d->p,
                    (struct op){.kind = OP_COLL, .ctx = ctx_of(d->y, k->comm, d->rank), .req = req, .node = k->node}))
        return -1;
    return k->c->flags & CS_MPI_NONBLOCKING ? user_request(d, req) : add_wait(d->p, &req, 1, k->node);
}

/* Remembers what each start of a persistent request does: ctx -1, nothing. */
static int keep(struct reading *d, struct op o)
{
    o.req = -1;
    if (!CS_MAKE_ROOM_FOR(d->persistent, (size_t)d->npersistent + 1, d->persistent_cap))
        return -1;
    d->persistent[d->npersistent++] = o;
    return 0;
}

static int persistent(struct reading *d, const struct call *k, bool send)
{
    struct op o;
    if (!address(d, k, send, &o))
        o.ctx = -1;
    return keep(d, o);
}

static int persistent_collective(struct reading *d, const struct call *k)
{
    int ctx = meets(d, k) ? ctx_of(d->y, k->comm, d->rank) : -1;
    return keep(d, (struct op){.kind = OP_COLL, .ctx = ctx, .node = k->node});
}

/* MPI_Isendrecv: its request is complete when the message has come. */
static int both_ways(struct reading *d, const struct call *k)
{
    int send, recv;
    return post(d, k, false, &recv) || post(d, k, true, &send) || user_request(d, recv) ? -1 : 0;
}

/* The request that a field's value names: x > 0 is the x-th last one created, x < 0 persistent request -1 - x. -1:
 * none. */
static int request_of(const struct reading *d, int64_t x)
{
    if (x > 0 && x <= d->nuser)
        return d->user[d->nuser - x];
    return x < 0 && -1 - x < d->npersistent ? d->persistent[-1 - x].req : -1;
}

static int start(struct reading *d, const struct call *k)
{
    for (int64_t i = 0; i < k->nreq; i++) {
        int64_t n = -1 - k->req[i];
        if (n < 0 || n >= d->npersistent)
            continue;
        struct op *o = &d->persistent[n];
        if ((o->req = new_request(d->p)) < 0)
            return -1;
        o->node = k->node;
        if (o->ctx < 0)
            d->p->req[o->req] = REQ_DONE;
        else if (add_op(d->p, *o))
            return -1;
    }
    return 0;
}

static int complete_requests(struct reading *d, const struct call *k)
{
    int n = 0, *req;
    if (k->partial || !k->req)
        return 0;
    if (!(req = malloc(((size_t)k->nreq + 1) * sizeof *req)))
        return -1;
    for (int64_t i = 0; i < k->nreq; i++)
        if ((req[n] = request_of(d, k->req[i])) >= 0)
            n++;
    int rc = add_wait(d->p, req, n, k->node);
    free(req);
    return rc;
}

static int cancel_requests(struct reading *d, const struct call *k)
{
    int rc = 0;
    for (int64_t i = 0; i < k->nreq && rc == 0; i++) {
        int req = request_of(d, k->req[i]);
        rc = req < 0 ? 0 : add_op(d->p, (struct op){.kind = OP_CANCEL, .req = req, .node = k->node});
    }
    return rc;
}

static int convert_call(struct reading *d, const struct call *k)
{
    int req;
    switch (k->c->kind) {
    case CS_MPI_SEND: return blocking(d, k, true, false);
    case CS_MPI_RECV: return k->comm < 0 ? 0 : blocking(d, k, false, true); /* Mrecv: the probe has taken it */
    case CS_MPI_SENDRECV: return k->c->flags & CS_MPI_NONBLOCKING ? both_ways(d, k) : blocking(d, k, true, true);
    case CS_MPI_ISEND: return post(d, k, true, &req) || user_request(d, req) ? -1 : 0;
    case CS_MPI_IRECV:
        if (k->comm >= 0)
            return post(d, k, false, &req) || user_request(d, req) ? -1 : 0;
        if ((req = new_request(d->p)) < 0)
            return -1;
        d->p->req[req] = REQ_DONE;
        return user_request(d, req);
    case CS_MPI_RMA: /* nor what others do to a window, */
    case CS_MPI_IO:  /* of files nothing is known here: a request is complete at once */
        if (!cs_mpi_has_role(k->c, CS_ROLE_REQ_OUT))
            return 0;
        if ((req = new_request(d->p)) < 0)
            return -1;
        d->p->req[req] = REQ_DONE;
        return user_request(d, req);
    case CS_MPI_SEND_INIT: return persistent(d, k, true);
    case CS_MPI_RECV_INIT: return persistent(d, k, false);
    case CS_MPI_START: return start(d, k);
    case CS_MPI_WAIT: return complete_requests(d, k);
    case CS_MPI_CANCEL: return k->c->flags & CS_MPI_FREES ? 0 : cancel_requests(d, k);
    case CS_MPI_PROBE: {
        struct op o;
        if (cs_mpi_has_role(k->c, CS_ROLE_NEWMSG)) /* it receives: whoever takes the message then has not to wait */
            return blocking(d, k, false, true);
        if (!address(d, k, false, &o))
            return 0;
        o.kind = OP_PROBE;
        return add_op(d->p, o);
    }
    case CS_MPI_COLL:
    case CS_MPI_BARRIER:
    case CS_MPI_COMM_CTOR: return k->c->flags & CS_MPI_PERSISTENT ? persistent_collective(d, k) : collective(d, k);
    default: return 0; /* nothing to wait for, or decided by timing */
    }
}

/* ---- reading ranks ---- */

/* Puts the operations of ncalls calls, read in the original order, into the order of the nest. order[i] is the number
 * of the i-th call read in that order. */
static int reorder(struct player *p, const int64_t *order, size_t ncalls)
{
    struct op *op = malloc((p->nops + 1) * sizeof *op);
    int32_t *by_place = malloc((ncalls + 1) * sizeof *by_place);
    size_t n = 0;
    if (!op || !by_place) {
        free(op);
        free(by_place);
        return -1;
    }
    for (size_t i = 0; i < ncalls; i++)
        by_place[order[i]] = (int32_t)i;
    for (size_t i = 0; i < ncalls; i++)
        for (int32_t k = p->call_first[by_place[i]]; k < p->call_first[by_place[i] + 1]; k++)
            op[n++] = p->op[k];
    free(by_place);
    free(p->op);
    p->op = op;
    return 0;
}

static int read_calls(struct reading *d, struct cs_merged_walk *w)
{
    struct cs_event e;
    int64_t node, *order = NULL;
    size_t n = 0, order_cap = 0;
    int rc;
    while ((rc = cs_merged_walk_next(w, &e, &node)) == 1) {
        struct call k = read_call(&e, node);
        if (++d->y->events > d->y->limit) {
            rc = -2;
            break;
        }
        if (!CS_MAKE_ROOM_FOR(d->p->call_first, n + 2, d->p->call_cap) || !CS_MAKE_ROOM_FOR(order, n + 1, order_cap) ||
            d->p->nops > INT32_MAX / 2) {
            rc = -1;
            break;
        }
        order[n] = cs_merged_walk_position(w);
        d->p->call_first[n++] = (int32_t)d->p->nops;
        if (convert_call(d, &k)) {
            rc = -1;
            break;
        }
        d->p->call_first[n] = (int32_t)d->p->nops;
    }
    if (rc == 0 && n)
        rc = reorder(d->p, order, n);
    free(order);
    free(d->p->call_first);
    d->p->call_first = NULL;
    return rc;
}

int cs_replay_read(struct play *y, int rank, int64_t max_iterations, struct cs_merged_walk **class_walk)
{
    struct reading d = {.y = y, .p = &y->p[rank], .rank = rank};
    struct cs_merged_walk *w = cs_merged_walk_share(y->m, rank, class_walk, max_iterations);
    int rc = w ? read_calls(&d, w) : -1;
    cs_merged_walk_free(w);
    free(d.user);
    free(d.persistent);
    return rc;
}
