/* SPDX-License-Identifier: BSD-3-Clause
 * The requests of open_requests.h: a ring of those that are not persistent, and an array of the persistent ones.
 * The ring drops an entry only when it is the oldest and complete. */
#include "trace/analyse/open_requests.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static struct cs_open_request *ring_at(struct cs_open_requests *q, uint64_t number)
{
    assert(q->cap && (q->cap & (q->cap - 1)) == 0 && number >= q->first && number - q->first < q->cap);
    return &q->made[number & (q->cap - 1)];
}

static int grow_ring(struct cs_open_requests *q)
{
    uint64_t cap = q->cap ? 2 * q->cap : 64;
    struct cs_open_request *made = malloc(cap * sizeof *made);
    if (!made)
        return -1;
    assert(q->last - q->first == q->cap);
    for (uint64_t i = q->first; i < q->last; i++)
        made[i & (cap - 1)] = *ring_at(q, i);
    free(q->made);
    q->made = made;
    q->cap = cap;
    return 0;
}

static struct cs_open_request *add(struct cs_open_requests *q, const struct cs_open_request *r)
{
    if (!r->persistent) {
        while (q->first < q->last && !ring_at(q, q->first)->open)
            q->first++;
        if (q->last - q->first == q->cap && grow_ring(q) != 0)
            return NULL;
        *ring_at(q, q->last) = *r;
        return ring_at(q, q->last++);
    }
    if (!CS_MAKE_ROOM(q->kept, q->nkept, q->kept_cap))
        return NULL;
    q->kept[q->nkept] = *r;
    return &q->kept[q->nkept++];
}

/* The request that a trace calls n: n requests ago, or persistent request -1 - n; NULL: a null request, or one that was
 * completed and dropped. */
static struct cs_open_request *find(struct cs_open_requests *q, int64_t n)
{
    if (n < 0)
        return n >= -(int64_t)q->nkept ? &q->kept[-1 - n] : NULL;
    return n > 0 && (uint64_t)n <= q->last - q->first ? ring_at(q, q->last - (uint64_t)n) : NULL;
}

static enum cs_request_kind kind_of(const struct cs_mpi_call *c)
{
    switch (c->kind) {
    case CS_MPI_ISEND:
    case CS_MPI_SEND_INIT: return CS_REQUEST_SEND;
    case CS_MPI_IRECV:
    case CS_MPI_SENDRECV: /* what it sends does not wait */
    case CS_MPI_RECV_INIT: return CS_REQUEST_RECV;
    case CS_MPI_COLL:
    case CS_MPI_BARRIER: return CS_REQUEST_COLL;
    default: return CS_REQUEST_OTHER;
    }
}

static struct cs_open_request describe(const struct cs_args *a, int64_t event)
{
    struct cs_open_request r = {
        .kind = kind_of(a->call), .event = event, .peer = CS_PEER_UNKNOWN, .flags = a->call->flags};
    r.persistent = a->call->flags & CS_MPI_PERSISTENT;
    r.open = !r.persistent;
    r.tag = cs_args_tag(a, r.kind == CS_REQUEST_SEND);
    r.comm = cs_args_scalar(a, cs_args_find(a, CS_ROLE_COMM));
    if (r.kind == CS_REQUEST_SEND) {
        r.peer = cs_args_peer(a, CS_ROLE_DEST);
        r.bytes = cs_args_sent(a);
    } else if (r.kind == CS_REQUEST_RECV) {
        r.peer = cs_args_peer(a, CS_ROLE_SOURCE);
        r.bytes = cs_args_received(a);
    }
    return r;
}

/* A copy of the arguments that lives on when their event is gone, to be freed; NULL: memory is out. */
static struct cs_args *keep_args(const struct cs_args *a)
{
    size_t n = 0;
    for (int i = 0; i < a->call->nargs; i++)
        n += a->has[i] ? (size_t)a->f[i].n : 0;
    struct cs_args *kept = malloc(sizeof *kept + n * sizeof *a->f[0].values);
    if (!kept)
        return NULL;
    *kept = *a;
    int64_t *values = (int64_t *)(kept + 1);
    for (int i = 0; i < a->call->nargs; i++)
        if (a->has[i]) {
            memcpy(values, a->f[i].values, (size_t)a->f[i].n * sizeof *values);
            kept->f[i].values = values;
            values += a->f[i].n;
        }
    return kept;
}

/* How many persistent collectives the rank has made on the communicator. */
static int64_t collectives_made(const struct cs_open_requests *q, int64_t comm)
{
    for (size_t i = q->nkept; i-- > 0;)
        if (q->kept[i].made_by && q->kept[i].comm == comm)
            return q->kept[i].nth + 1;
    return 0;
}

static bool makes_request(const struct cs_mpi_call *c)
{
    for (int i = 0; i < c->nargs; i++)
        if (c->args[i].role == CS_ROLE_REQ_OUT)
            return true;
    return false;
}

/* An event that is being looked at, and whom to tell of what it starts or completes. */
struct step {
    struct cs_open_requests *q;
    bool starts;
    int64_t event;
    cs_request_fn *fn;
    void *arg;
};

static int touch(struct step *s, int64_t number)
{
    struct cs_open_request *r = find(s->q, number);
    if (!r || r->open == s->starts)
        return 0;
    r->open = s->starts;
    if (s->starts) {
        r->event = s->event;
        r->id = ++s->q->ids;
        r->meeting = INT64_C(1) << 62 | r->nth << 40 | r->starts++;
    }
    return s->fn ? s->fn(s->arg, r) : 0;
}

/* Completes or starts the requests among the arguments of an event. *unknown: see cs_open_requests_event. */
static int touch_all(struct step *s, const struct cs_args *a, bool *unknown)
{
    for (int i = 0; i < a->call->nargs; i++) {
        enum cs_role role = a->call->args[i].role;
        if (!a->has[i] || (role != CS_ROLE_REQ_INOUT && role != CS_ROLE_REQS))
            continue;
        if (a->f[i].shape == CS_FIELD_LENGTH)
            *unknown = a->f[i].values[0] > 0;
        for (int64_t k = 0; a->f[i].shape != CS_FIELD_LENGTH && k < a->f[i].n; k++)
            if (touch(s, a->f[i].values[k]) != 0)
                return -1;
    }
    return 0;
}

int cs_open_requests_event(struct cs_open_requests *q, const struct cs_args *a, int64_t event, cs_request_fn *started,
                           cs_request_fn *completed, void *arg, bool *unknown)
{
    bool starts = a->call->kind == CS_MPI_START;
    struct step s = {.q = q, .starts = starts, .event = event, .fn = starts ? started : completed, .arg = arg};
    *unknown = false;
    if (!makes_request(a->call))
        return touch_all(&s, a, unknown);
    struct cs_open_request r = describe(a, event);
    r.id = ++q->ids;
    if (r.persistent && r.kind == CS_REQUEST_COLL) {
        r.nth = collectives_made(q, r.comm);
        if (!(r.made_by = keep_args(a)))
            return -1;
    }
    struct cs_open_request *made = add(q, &r);
    if (!made) {
        free(r.made_by);
        return -1;
    }
    return made->open && started ? started(arg, made) : 0;
}

struct cs_open_request *cs_open_requests_oldest(struct cs_open_requests *q)
{
    struct cs_open_request *oldest = NULL;
    for (uint64_t i = q->first; i < q->last && !oldest; i++)
        if (ring_at(q, i)->open)
            oldest = ring_at(q, i);
    for (size_t i = 0; i < q->nkept; i++)
        if (q->kept[i].open && (!oldest || q->kept[i].event < oldest->event))
            oldest = &q->kept[i];
    return oldest;
}

void cs_open_requests_free(struct cs_open_requests *q)
{
    for (size_t i = 0; i < q->nkept; i++)
        free(q->kept[i].made_by);
    free(q->made);
    free(q->kept);
    memset(q, 0, sizeof *q);
}
