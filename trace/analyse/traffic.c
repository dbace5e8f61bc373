/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of traffic.h. One rank at a time, so memory is one row of the matrix plus the pairs that are not zero.
 * What an event says about bytes and peers comes from args.h. */
#include "trace/analyse/traffic.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/analyse/args.h"

/* A persistent request: what each start of it sends, or hands in. */
struct persistent {
    int dest; /* in MPI_COMM_WORLD; -1: no message, or to nobody */
    uint64_t bytes;
    bool collective;
};

/* The matrix row of one rank: what it sends to each other one. */
struct row {
    const struct cs_trace *t;
    int rank, nranks;
    uint64_t *messages, *bytes; /* by destination */
    int *dest;                  /* those with messages, ndest of them */
    size_t ndest, dest_cap;
    struct cs_call_sum *call; /* of this rank, by index in the MPI table */
    int *called;              /* those that it made, ncalled of them */
    int ncalled;
    uint64_t lost;
    bool counts; /* loops are not unrolled */
    struct persistent *persistent;
    size_t npersistent, persistent_cap;
    struct cs_traffic *sum;
};

/* ---- point to point ---- */

static int add_message(struct row *r, int call, int dest, uint64_t bytes, uint64_t times)
{
    if (dest == CS_PEER_UNKNOWN)
        r->lost += times;
    if (dest < 0)
        return 0;
    if (r->messages[dest] == 0) {
        if (!CS_MAKE_ROOM(r->dest, r->ndest, r->dest_cap))
            return -1;
        r->dest[r->ndest++] = dest;
    }
    r->messages[dest] += times;
    r->bytes[dest] += bytes * times;
    r->call[call].bytes += bytes * times;
    return 0;
}

static struct persistent describe_persistent(const struct cs_args *a)
{
    if (a->call->kind == CS_MPI_COLL)
        return (struct persistent){-1, cs_args_contributed(a), true};
    bool sends = a->call->kind == CS_MPI_SEND_INIT;
    return (struct persistent){sends ? cs_args_peer(a, CS_ROLE_DEST) : -1, sends ? cs_args_sent(a) : 0, false};
}

static int remember_persistent(struct row *r, struct persistent p)
{
    if (!CS_MAKE_ROOM(r->persistent, r->npersistent, r->persistent_cap))
        return -1;
    r->persistent[r->npersistent++] = p;
    return 0;
}

static int start_persistent(struct row *r, int call, const struct cs_args *a, uint64_t times)
{
    for (int i = 0; i < a->call->nargs; i++) {
        if (!a->has[i] || (a->call->args[i].role != CS_ROLE_REQ_INOUT && a->call->args[i].role != CS_ROLE_REQS))
            continue;
        for (int64_t k = 0; k < a->f[i].n; k++) {
            int64_t v = a->f[i].values[k];
            if (v < 0 && v >= -(int64_t)r->npersistent) {
                const struct persistent *p = &r->persistent[-1 - v];
                if (p->collective)
                    r->call[call].bytes += p->bytes * times;
                else if (add_message(r, call, p->dest, p->bytes, times))
                    return -1;
            }
        }
    }
    return 0;
}

/* ---- a rank, all ranks ---- */

/* Do the arguments of the call say what is sent, or handed in? */
static bool tells(const struct cs_mpi_call *c)
{
    switch (c->kind) {
    case CS_MPI_SEND:
    case CS_MPI_ISEND:
    case CS_MPI_SENDRECV:
    case CS_MPI_RMA:
    case CS_MPI_START:
    case CS_MPI_COLL: return true;
    default: return c->flags & CS_MPI_PERSISTENT;
    }
}

static void add_calls(struct row *r, int call, uint64_t times)
{
    if (r->call[call].calls == 0 && times > 0)
        r->called[r->ncalled++] = call;
    r->call[call].calls += times;
}

/* Adds what happens `times` times. 0; -1: no memory; 1: a loop makes persistent requests, whose numbers tell the turns
 * apart, so that it has to be unrolled. */
static int add_event(struct row *r, const struct cs_event *e, uint64_t times)
{
    struct cs_args a;
    add_calls(r, e->call, times);
    if (!tells(cs_mpi_call(e->call)) || !cs_args_get(&a, r->t, r->rank, e))
        return 0;
    if (a.call->flags & CS_MPI_PERSISTENT)
        return times > 1 ? 1 : remember_persistent(r, describe_persistent(&a));
    switch (a.call->kind) {
    case CS_MPI_SEND:
    case CS_MPI_ISEND:
    case CS_MPI_SENDRECV: return add_message(r, e->call, cs_args_peer(&a, CS_ROLE_DEST), cs_args_sent(&a), times);
    case CS_MPI_RMA:
        return cs_args_reaches(a.call)
                   ? add_message(r, e->call, cs_args_peer(&a, CS_ROLE_DEST), cs_args_moved(&a), times)
                   : 0;
    case CS_MPI_START: return start_persistent(r, e->call, &a, times);
    case CS_MPI_COLL: r->call[e->call].bytes += cs_args_contributed(&a) * times; return 0;
    default: return 0;
    }
}

static int add_pair(struct cs_traffic *s, const struct cs_pair *p)
{
    const struct cs_pair *last = s->npairs ? &s->pair[s->npairs - 1] : NULL;
    assert(p->messages > 0 &&
           (!last || last->source < p->source || (last->source == p->source && last->dest < p->dest)));
    if (!CS_MAKE_ROOM(s->pair, s->npairs, s->cap))
        return -1;
    s->pair[s->npairs++] = *p;
    return 0;
}

static int by_number(const void *pa, const void *pb)
{
    int a = *(const int *)pa, b = *(const int *)pb;
    return (a > b) - (a < b);
}

static void forget_row(struct row *r)
{
    for (size_t i = 0; i < r->ndest; i++)
        r->messages[r->dest[i]] = r->bytes[r->dest[i]] = 0;
    for (int i = 0; i < r->ncalled; i++)
        r->call[r->called[i]] = (struct cs_call_sum){0};
    r->ndest = r->npersistent = 0;
    r->ncalled = 0;
    r->lost = 0;
}

static int end_row(struct row *r)
{
    int rc = 0;
    if (r->ndest)
        qsort(r->dest, r->ndest, sizeof *r->dest, by_number);
    for (size_t i = 0; i < r->ndest && rc == 0; i++) {
        int d = r->dest[i];
        rc = add_pair(r->sum, &(struct cs_pair){r->rank, d, r->messages[d], r->bytes[d]});
    }
    for (int i = 0; i < r->ncalled; i++) {
        int c = r->called[i];
        r->sum->call[c].calls += r->call[c].calls;
        r->sum->call[c].bytes += r->call[c].bytes;
    }
    r->sum->lost += r->lost;
    forget_row(r);
    return rc;
}

/* The rank's events; as often as they are stored or, if that does not do, each of them. 0; 1: it does not do; -1: the
 * trace is damaged; -2: no memory. */
static int add_events(struct row *r, struct cs_trace_iter *it)
{
    struct cs_event e;
    uint64_t times = 1;
    int rc, added = 0;
    while (added == 0 && (rc = r->counts ? cs_trace_iter_count(it, &e, &times) : cs_trace_iter_next(it, &e)) == 1)
        added = add_event(r, &e, times);
    return added < 0 ? -2 : added ? 1 : rc;
}

static const char no_memory[] = "not enough memory";

static int add_rank(struct row *r, char *errbuf, size_t errlen)
{
    int rc = 1;
    for (r->counts = true; rc == 1; r->counts = false) {
        struct cs_trace_iter *it = cs_trace_iter_open(r->t, r->rank);
        forget_row(r);
        rc = it ? add_events(r, it) : -2;
        assert(rc != 1 || r->counts);
        if (rc == -1)
            snprintf(errbuf, errlen, "damaged: %s", cs_trace_iter_error(it));
        cs_trace_iter_free(it);
    }
    if (rc == 0 && end_row(r))
        rc = -2;
    if (rc == -2)
        snprintf(errbuf, errlen, "%s", no_memory);
    return rc < 0 ? -1 : 0;
}

int cs_traffic_sum(const struct cs_trace *t, struct cs_traffic *s,
                   void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf, size_t errlen)
{
    int n = cs_trace_info(t)->nranks, rc = 0;
    struct row r = {.t = t,
                    .nranks = n,
                    .sum = s,
                    .messages = calloc((size_t)n, sizeof *r.messages),
                    .bytes = calloc((size_t)n, sizeof *r.bytes),
                    .call = calloc((size_t)cs_mpi_ncalls(), sizeof *r.call),
                    .called = calloc((size_t)cs_mpi_ncalls(), sizeof *r.called)};
    *s = (struct cs_traffic){.call = calloc((size_t)cs_mpi_ncalls(), sizeof *s->call)};
    if (!r.messages || !r.bytes || !r.call || !r.called || !s->call) {
        snprintf(errbuf, errlen, "%s", no_memory);
        rc = -1;
    }
    for (; rc == 0 && r.rank < n; r.rank++) {
        if (progress)
            progress("reading", r.rank, n);
        rc = cs_trace_rank_state(t, r.rank) == CS_RANK_MISSING ? 0 : add_rank(&r, errbuf, errlen);
    }
    free(r.messages);
    free(r.bytes);
    free(r.dest);
    free(r.call);
    free(r.called);
    free(r.persistent);
    return rc;
}

void cs_traffic_free(struct cs_traffic *s)
{
    free(s->pair);
    free(s->call);
    *s = (struct cs_traffic){0};
}
