/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of traffic.h. One rank at a time, so memory is one row of the matrix plus the pairs that are not zero.
 * What an event says about bytes and peers comes from args.h. */
#include "cli/show/traffic.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/analyse/args.h"
#include "cli/frame/cli.h"

/* A persistent request: what each start of it sends. */
struct persistent {
    int dest; /* in MPI_COMM_WORLD; -1: no send, or to nobody */
    uint64_t bytes;
};

/* The matrix row of one rank: what it sends to each other one. */
struct row {
    const struct cs_trace *t;
    int rank, nranks;
    uint64_t *messages, *bytes; /* by destination */
    struct persistent *persistent;
    size_t npersistent, persistent_cap;
    struct cs_traffic *sum;
};

/* ---- point to point ---- */

static void add_message(struct row *r, int call, int dest, uint64_t bytes)
{
    if (dest == CS_PEER_UNKNOWN)
        r->sum->lost++;
    if (dest < 0)
        return;
    r->messages[dest]++;
    r->bytes[dest] += bytes;
    r->sum->call[call].bytes += bytes;
}

static int remember_persistent(struct row *r, struct persistent p)
{
    if (!CS_MAKE_ROOM(r->persistent, r->npersistent, r->persistent_cap))
        return -1;
    r->persistent[r->npersistent++] = p;
    return 0;
}

static void start_persistent(struct row *r, int call, const struct cs_args *a)
{
    for (int i = 0; i < a->call->nargs; i++) {
        if (!a->has[i] || (a->call->args[i].role != CS_ROLE_REQ_INOUT && a->call->args[i].role != CS_ROLE_REQS))
            continue;
        for (int64_t k = 0; k < a->f[i].n; k++) {
            int64_t v = a->f[i].values[k];
            if (v < 0 && v >= -(int64_t)r->npersistent)
                add_message(r, call, r->persistent[-1 - v].dest, r->persistent[-1 - v].bytes);
        }
    }
}

/* ---- a rank, all ranks ---- */

static int add_event(struct row *r, const struct cs_event *e)
{
    struct cs_args a;
    r->sum->call[e->call].calls++;
    if (!cs_args_get(&a, r->t, r->rank, e))
        return 0;
    switch (a.call->kind) {
    case CS_MPI_SEND:
    case CS_MPI_ISEND:
    case CS_MPI_SENDRECV: add_message(r, e->call, cs_args_peer(&a, CS_ROLE_DEST), cs_args_sent(&a)); return 0;
    case CS_MPI_SEND_INIT:
        return remember_persistent(r, (struct persistent){cs_args_peer(&a, CS_ROLE_DEST), cs_args_sent(&a)});
    case CS_MPI_RECV_INIT: return remember_persistent(r, (struct persistent){-1, 0});
    case CS_MPI_START: start_persistent(r, e->call, &a); return 0;
    case CS_MPI_COLL: r->sum->call[e->call].bytes += cs_args_contributed(&a); return 0;
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

static int end_row(struct row *r)
{
    for (int d = 0; d < r->nranks; d++) {
        struct cs_pair p = {r->rank, d, r->messages[d], r->bytes[d]};
        if (p.messages && add_pair(r->sum, &p))
            return -1;
    }
    memset(r->messages, 0, (size_t)r->nranks * sizeof *r->messages);
    memset(r->bytes, 0, (size_t)r->nranks * sizeof *r->bytes);
    r->npersistent = 0;
    return 0;
}

static int add_rank(struct row *r, const char *path)
{
    struct cs_trace_iter *it = cs_trace_iter_open(r->t, r->rank);
    struct cs_event e;
    int rc = it ? 1 : -2;
    while (rc == 1 && (rc = cs_trace_iter_next(it, &e)) == 1)
        if (add_event(r, &e))
            rc = -2;
    if (rc == 0 && end_row(r))
        rc = -2;
    if (rc == -1)
        cs_error("%s: damaged: %s", path, cs_trace_iter_error(it));
    else if (rc == -2)
        cs_error("not enough memory");
    cs_trace_iter_free(it);
    return rc < 0 ? -1 : 0;
}

int cs_traffic_sum(const struct cs_trace *t, const char *path, struct cs_traffic *s)
{
    int n = cs_trace_info(t)->nranks, rc = 0;
    struct row r = {.t = t,
                    .nranks = n,
                    .sum = s,
                    .messages = calloc((size_t)n, sizeof *r.messages),
                    .bytes = calloc((size_t)n, sizeof *r.bytes)};
    *s = (struct cs_traffic){.call = calloc((size_t)cs_mpi_ncalls(), sizeof *s->call)};
    if (!r.messages || !r.bytes || !s->call) {
        cs_error("not enough memory");
        rc = -1;
    }
    for (; rc == 0 && r.rank < n; r.rank++) {
        cs_progress("reading", r.rank, n);
        rc = cs_trace_rank_state(t, r.rank) == CS_RANK_MISSING ? 0 : add_rank(&r, path);
    }
    cs_progress_end();
    free(r.messages);
    free(r.bytes);
    free(r.persistent);
    return rc;
}

void cs_traffic_free(struct cs_traffic *s)
{
    free(s->pair);
    free(s->call);
    *s = (struct cs_traffic){0};
}
