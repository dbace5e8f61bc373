/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the requests of one rank of each class through its events: how far back calls refer to a request, which
 * requests are completed by calls that do not record which (MPI_Waitany and the like: "deferred"), and which loops are
 * entered while requests are open. */
#include "skeleton/plan/follow_requests.h"

#include <assert.h>
#include <stdlib.h>

#include "base/grow.h"
#include "trace/format/fields.h"

/* A request: the node that made it, and whether nothing has completed it yet. */
struct made {
    int64_t node;
    bool open;
};

/* The rank's state after its events so far. */
struct follow {
    struct cs_gen *g;
    int cls;
    struct made *ring; /* of the requests made, by number */
    int64_t cap, n, nopen;
    int64_t *started; /* of each persistent request: the node that started it last */
    int64_t nkept, kept_cap;
    int64_t last; /* the node of the event before; -1: none */
    bool *named,
        *anonymous; /* of each node: some call names a request that it made or started; it makes or starts some */
};

/* Marks the loops around the node that were entered since the last event, if requests are open. */
static void enter_loops(struct follow *f, int64_t node)
{
    struct cs_gen *g = f->g;
    for (int64_t i = g->parent[node]; i >= 0 && f->nopen; i = g->parent[i])
        if (f->last <= i || f->last > i + g->m->node[i].value)
            g->open_at[i] = true;
    f->last = node;
}

/* Notes that the node made the class's persistent request number nkept - 1. */
static int keep_node(struct follow *f, int64_t node)
{
    struct cs_gen *g = f->g;
    int64_t cap = g->nkept_node[f->cls];
    if (!CS_MAKE_ROOM_FOR(g->kept_node[f->cls], f->nkept, cap))
        return -1;
    g->kept_node[f->cls][f->nkept - 1] = node;
    g->nkept_node[f->cls] = f->nkept;
    return 0;
}

static int create(struct follow *f, int64_t node, bool persistent)
{
    if (persistent) {
        if (!CS_MAKE_ROOM(f->started, f->nkept, f->kept_cap))
            return -1;
        f->started[f->nkept++] = -1;
        return keep_node(f, node);
    }
    if (!CS_MAKE_ROOM(f->ring, f->n, f->cap))
        return -1;
    f->ring[f->n++] = (struct made){node, true};
    f->nopen++;
    return 0;
}

/* A call names a request as a trace does. which: 1, 2, ...: that many requests ago; -1, -2, ...: the first, second, ...
 * persistent one; 0: a null request. */
static int refer(struct follow *f, const char *call, int64_t which, bool completes)
{
    struct cs_gen *g = f->g;
    if (which == CS_FIELD_FOREIGN)
        return cs_gen_refuse(g, "%s on a request that was made by a call that is not recorded", call);
    if (which > f->n || -1 - which >= f->nkept)
        return cs_gen_refuse(g, "%s on a request that was never made", call);
    if (which > 0) {
        struct made *r = &f->ring[f->n - which];
        assert(r->node >= 0 && r->node < g->m->nnodes);
        f->named[r->node] = true;
        f->nopen -= r->open;
        r->open = false;
        g->requests = which > g->requests ? which : g->requests;
    } else if (which < 0 && completes && f->started[-1 - which] >= 0) {
        f->named[f->started[-1 - which]] = true;
    }
    return 0;
}

/* A persistent request is started. */
static int start(struct follow *f, int64_t node, int64_t which)
{
    if (which < 0 && -1 - which < f->nkept)
        f->started[-1 - which] = node;
    f->anonymous[node] = true;
    return 0;
}

static int event(struct follow *f, const struct cs_event *e, int64_t node)
{
    const struct cs_mpi_call *call = cs_mpi_call(e->call);
    struct cs_field x;
    int arg = 0, at = 0;
    bool starts = call->kind == CS_MPI_START,
         completes = !starts && call->kind != CS_MPI_CANCEL; /* MPI_Cancel and MPI_Request_free do not */
    while (cs_field_next(e, &arg, &at, &x) == 1) {
        bool named = x.arg->role == CS_ROLE_REQ_INOUT || (x.arg->role == CS_ROLE_REQS && x.shape == CS_FIELD_ARRAY);
        if (x.arg->role == CS_ROLE_REQS && x.shape == CS_FIELD_LENGTH)
            f->g->has_deferred = true;
        for (int64_t i = 0; named && i < x.n; i++)
            if (refer(f, call->name, x.values[i], completes) || (starts && start(f, node, x.values[i])))
                return -1;
        for (int64_t i = 0; x.arg->role == CS_ROLE_SOURCE || x.arg->role == CS_ROLE_TAG ? i < x.n : false; i++)
            f->g->wildcards |= x.values[i] == CS_ANY;
        if (x.arg->role == CS_ROLE_MSG && x.values[0] > f->g->messages)
            f->g->messages = x.values[0];
    }
    assert(f->nopen >= 0);
    for (int i = 0; i < call->nargs; i++)
        if (call->args[i].role == CS_ROLE_REQ_OUT) {
            f->anonymous[node] = true;
            if (create(f, node, call->flags & CS_MPI_PERSISTENT))
                return cs_gen_refuse(f->g, "not enough memory");
        }
    return 0;
}

static int follow_rank(struct follow *f, int rank)
{
    struct cs_merged_walk *w = cs_merged_walk_open(f->g->m, rank, false);
    struct cs_event e;
    int64_t node;
    int rc = w ? 1 : -1;
    f->n = f->nkept = f->nopen = 0;
    f->cls = f->g->m->class_of[rank];
    f->last = -1;
    while (rc == 1 && (rc = cs_merged_walk_next(w, &e, &node)) == 1) {
        enter_loops(f, node);
        if (event(f, &e, node))
            rc = -1;
    }
    cs_merged_walk_free(w);
    f->g->kept = f->nkept > f->g->kept ? f->nkept : f->g->kept;
    return rc == 0 ? 0 : cs_gen_refuse(f->g, "not enough memory");
}

int cs_gen_follow_requests(struct cs_gen *g)
{
    size_t n = (size_t)g->m->nnodes + 1;
    struct follow f = {.g = g, .named = calloc(n, 1), .anonymous = calloc(n, 1)};
    int rc = 0;
    if (!f.named || !f.anonymous)
        rc = cs_gen_refuse(g, "not enough memory");
    for (int k = 0; k < g->m->nclasses && rc == 0; k++)
        rc = follow_rank(&f, g->m->cls[k].rank[0]);
    for (int64_t i = 0; rc == 0 && g->has_deferred && i < g->m->nnodes; i++)
        g->deferred[i] = f.anonymous[i] && !f.named[i];
    free(f.named);
    free(f.anonymous);
    free(f.ring);
    free(f.started);
    return rc;
}
