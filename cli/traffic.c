/* SPDX-License-Identifier: BSD-3-Clause
 * The sums of traffic.h. One rank at a time, so memory is one row of the matrix plus the pairs that are not zero.
 * Roles of the MPI table say which arguments belong together; only the few calls whose count is per peer are named. */
#include "traffic.h"

#include <stdlib.h>
#include <string.h>

#include "../trace/fields.h"
#include "cli.h"

struct persistent {
    int dest;                   /* in MPI_COMM_WORLD; -1: no send, or to nobody */
    uint64_t bytes;
};

struct row {
    const struct cs_trace *t;
    int rank, nranks;
    uint64_t *messages, *bytes; /* by destination */
    struct persistent *persistent;
    size_t npersistent, persistent_cap;
    struct cs_traffic *sum;
};

/* The fields of an event by argument. */
struct args {
    const struct cs_mpi_call *call;
    struct cs_field f[CS_MPI_MAX_ARGS];
    bool has[CS_MPI_MAX_ARGS];
};

static bool get_args(const struct cs_event *e, struct args *a)
{
    int arg = 0, at = 0, rc;
    struct cs_field f;
    memset(a->has, 0, sizeof a->has);
    a->call = cs_mpi_call(e->call);
    while ((rc = cs_field_next(e, &arg, &at, &f)) == 1) {
        int i = (int)(f.arg - a->call->args);
        a->f[i] = f;
        a->has[i] = true;
    }
    return rc == 0;
}

static int find_role(const struct args *a, enum cs_role role)
{
    for (int i = 0; i < a->call->nargs; i++)
        if (a->has[i] && a->call->args[i].role == role)
            return i;
    return -1;
}

static int64_t scalar(const struct args *a, int arg)
{
    return arg >= 0 && a->has[arg] && a->f[arg].shape == CS_FIELD_SCALAR ? *a->f[arg].values : CS_UNUSED;
}

static uint64_t type_size(const struct row *r, int64_t type)
{
    const struct cs_type_def *d = type >= 0 && type <= INT32_MAX ? cs_trace_type(r->t, r->rank, (int)type) : NULL;
    return d && d->size > 0 ? (uint64_t)d->size : 0;
}

static const struct cs_comm_def *comm_of(const struct row *r, const struct args *a)
{
    int64_t comm = scalar(a, find_role(a, CS_ROLE_COMM));
    return comm >= 0 && comm <= INT32_MAX ? cs_trace_comm(r->t, r->rank, (int)comm) : NULL;
}

/* The first arguments of a role after a buffer describe it: MPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, ...). */
static int next_of(const struct args *a, int from, enum cs_role role)
{
    for (int i = from; i < a->call->nargs; i++)
        if (a->call->args[i].role == role)
            return a->has[i] ? i : -1;
    return -1;
}

/* Bytes of the buffer at argument `buf`: count by type, or counts by type or types. */
static uint64_t buffer_bytes(const struct row *r, const struct args *a, int buf)
{
    int count = a->call->args[buf].count_arg, type = a->call->args[buf].type_arg;
    enum cs_role role = count >= 0 ? a->call->args[count].role : CS_ROLE_NONE;
    if (count < 0 || !a->has[count])
        return 0;
    if (role == CS_ROLE_COUNT && *a->f[count].values > 0 && type >= 0)
        return (uint64_t)*a->f[count].values * type_size(r, scalar(a, type));
    if (role != CS_ROLE_COUNTS)
        return 0;
    int types = next_of(a, buf, CS_ROLE_TYPES);
    uint64_t n = 0, one = type >= 0 ? type_size(r, scalar(a, type)) : 0;
    for (int64_t i = 0; i < a->f[count].n; i++) {
        int64_t items = a->f[count].values[i];
        uint64_t size = types >= 0 && i < a->f[types].n ? type_size(r, a->f[types].values[i]) : one;
        n += items > 0 ? (uint64_t)items * size : 0;
    }
    return n;
}

static int find_buffer(const struct args *a, enum cs_role role)
{
    for (int i = 0; i < a->call->nargs; i++)
        if (a->call->args[i].role == role)
            return i;
    return -1;
}

/* ---- point to point ---- */

/* The destination in MPI_COMM_WORLD; -1: nobody (PROC_NULL); -2: not known. */
static int destination(const struct row *r, const struct args *a)
{
    const struct cs_comm_def *c = comm_of(r, a);
    int64_t dest = scalar(a, find_role(a, CS_ROLE_DEST));
    if (dest == CS_PROC_NULL)
        return -1;
    if (!c || dest < 0 || dest >= c->nranks || c->world_ranks[dest] < 0 || c->world_ranks[dest] >= r->nranks)
        return -2;
    return c->world_ranks[dest];
}

static void add_message(struct row *r, int call, int dest, uint64_t bytes)
{
    if (dest == -2)
        r->sum->lost++;
    if (dest < 0)
        return;
    r->messages[dest]++;
    r->bytes[dest] += bytes;
    r->sum->call[call].bytes += bytes;
}

static uint64_t sent_bytes(const struct row *r, const struct args *a)
{
    int buf = find_buffer(a, CS_ROLE_SBUF);
    if (buf < 0)
        buf = find_buffer(a, CS_ROLE_SRBUF);
    return buf < 0 ? 0 : buffer_bytes(r, a, buf);
}

static int remember_persistent(struct row *r, struct persistent p)
{
    if (r->npersistent == r->persistent_cap) {
        size_t cap = r->persistent_cap ? 2 * r->persistent_cap : 16;
        struct persistent *q = realloc(r->persistent, cap * sizeof *q);
        if (!q)
            return -1;
        r->persistent = q;
        r->persistent_cap = cap;
    }
    r->persistent[r->npersistent++] = p;
    return 0;
}

static void start_persistent(struct row *r, int call, const struct args *a)
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

/* ---- collectives ---- */

/* Does the send count of the call go to each peer? */
static bool count_is_per_peer(const char *name)
{
    static const char *const names[] = {"MPI_Alltoall", "MPI_Ialltoall", "MPI_Scatter", "MPI_Iscatter",
        "MPI_Reduce_scatter_block", "MPI_Ireduce_scatter_block"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_root(const struct row *r, const struct args *a, const struct cs_comm_def *c)
{
    int64_t root = scalar(a, find_role(a, CS_ROLE_ROOT));
    return root == CS_ROOT || (c && root >= 0 && root < c->nranks && c->world_ranks[root] == r->rank);
}

/* What this rank hands in. */
static uint64_t collective_bytes(const struct row *r, const struct args *a)
{
    const struct cs_comm_def *c = comm_of(r, a);
    if ((a->call->flags & CS_MPI_ROOT_SENDS) && !is_root(r, a, c))
        return 0;
    int send = find_buffer(a, CS_ROLE_SBUF), receive = find_buffer(a, CS_ROLE_RBUF);
    uint64_t n = sent_bytes(r, a);
    /* With MPI_IN_PLACE the send arguments are not significant; a rank then hands in what it would receive. */
    if (n == 0 && send >= 0 && receive >= 0 && scalar(a, a->call->args[send].count_arg) == CS_UNUSED)
        n = buffer_bytes(r, a, receive);
    return count_is_per_peer(a->call->name) && c ? n * (uint64_t)c->nranks : n;
}

/* ---- a rank, all ranks ---- */

static int add_event(struct row *r, const struct cs_event *e)
{
    struct args a;
    r->sum->call[e->call].calls++;
    if (!get_args(e, &a))
        return 0;
    switch (a.call->kind) {
    case CS_MPI_SEND: case CS_MPI_ISEND: case CS_MPI_SENDRECV:
        add_message(r, e->call, destination(r, &a), sent_bytes(r, &a));
        return 0;
    case CS_MPI_SEND_INIT:
        return remember_persistent(r, (struct persistent){destination(r, &a), sent_bytes(r, &a)});
    case CS_MPI_RECV_INIT:
        return remember_persistent(r, (struct persistent){-1, 0});
    case CS_MPI_START:
        start_persistent(r, e->call, &a);
        return 0;
    case CS_MPI_COLL:
        r->sum->call[e->call].bytes += collective_bytes(r, &a);
        return 0;
    default:
        return 0;
    }
}

static int add_pair(struct cs_traffic *s, const struct cs_pair *p)
{
    if (s->npairs == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 64;
        struct cs_pair *q = realloc(s->pair, cap * sizeof *q);
        if (!q)
            return -1;
        s->pair = q;
        s->cap = cap;
    }
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
    struct row r = {.t = t, .nranks = n, .sum = s, .messages = calloc((size_t)n, sizeof *r.messages),
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
