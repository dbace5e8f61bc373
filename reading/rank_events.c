/* SPDX-License-Identifier: BSD-3-Clause
 * libcommslice: the events of a rank, one after the other or as columns; see commslice.h. */
#include <stdint.h>
#include <stdlib.h>

#include "api/mpi_calls.h"
#include "base/grow.h"
#include "reading/reader.h"
#include "trace/analyse/args.h"

_Static_assert((int)CS_READER_NOBODY == (int)CS_PEER_NOBODY && (int)CS_READER_UNKNOWN == (int)CS_PEER_UNKNOWN &&
                   (int)CS_READER_ANY == (int)CS_PEER_ANY,
               "peers are given out as args.h has them");

const char cs_loop_makes_requests[] = "a loop makes persistent requests: unroll it";

struct cs_reader_stream *cs_reader_stream_open(const struct cs_reader *r, int rank, int unroll)
{
    struct cs_reader_stream *s = rank >= 0 && rank < cs_reader_ranks(r) ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return NULL;
    *s = (struct cs_reader_stream){.r = r, .rank = rank, .unroll = unroll != 0};
    if (r->m)
        s->w = cs_merged_walk_open(r->m, rank, true);
    else if (cs_trace_rank_state(r->t, rank) != CS_RANK_MISSING)
        s->it = cs_trace_iter_open(r->t, rank);
    else
        return s;
    if (!s->w && !s->it) {
        free(s);
        return NULL;
    }
    return s;
}

void cs_reader_stream_close(struct cs_reader_stream *s)
{
    if (!s)
        return;
    if (s->it)
        cs_trace_iter_free(s->it);
    if (s->w)
        cs_merged_walk_free(s->w);
    free(s->persistent);
    free(s);
}

/* The next event as it is stored, and how often it happens: 1, 0 or -1 as cs_reader_stream_next. */
static int raw_event(struct cs_reader_stream *s, struct cs_event *e, uint64_t *times)
{
    int rc = 0;
    *times = 1;
    if (s->w)
        rc = cs_merged_walk_next(s->w, e, NULL);
    else if (s->it)
        rc = s->unroll ? cs_trace_iter_next(s->it, e) : cs_trace_iter_count(s->it, e, times);
    if (rc < 0)
        s->error = s->it ? cs_trace_iter_error(s->it) : "not enough memory";
    return rc;
}

const char *cs_reader_stream_error(const struct cs_reader_stream *s)
{
    return s->error;
}

const struct cs_site *cs_merged_site(const struct cs_merged *m, int site)
{
    return site >= 0 && site < m->nsites ? &m->site[site] : NULL;
}

void cs_reader_place(const struct cs_reader *r, const struct cs_site *site, struct cs_reader_event *out)
{
    struct cs_source_location place = cs_locations_find(r->places, site);
    out->file = place.file;
    out->function = place.func;
    out->line = place.file ? place.line : -1;
}

/* The site of a stored event; NULL: not known. */
static const struct cs_site *site_of(const struct cs_reader *r, int rank, const struct cs_event *e)
{
    if (r->m)
        return cs_merged_site(r->m, e->site);
    return e->site >= 0 ? cs_trace_site(r->t, rank, e->site) : NULL;
}

static int peer(const struct cs_args *a, enum cs_role role)
{
    return cs_args_find(a, role) < 0 ? CS_PEER_NOBODY : cs_args_peer(a, role);
}

/* Bytes that the persistent requests which the event starts send each time. */
static int64_t started(const struct cs_reader_stream *s, const struct cs_args *a)
{
    int64_t bytes = 0;
    for (int i = 0; i < a->call->nargs; i++) {
        enum cs_role role = a->call->args[i].role;
        for (int64_t k = 0; a->has[i] && (role == CS_ROLE_REQ_INOUT || role == CS_ROLE_REQS) && k < a->f[i].n; k++) {
            int64_t v = a->f[i].values[k];
            if (v < 0 && v >= -(int64_t)s->npersistent)
                bytes += s->persistent[-1 - v];
        }
    }
    return bytes;
}

/* Remembers what each start of a persistent request sends. 0, or -1 and the error. */
static int made(struct cs_reader_stream *s, int64_t bytes, uint64_t times)
{
    if (times > 1)
        s->error = cs_loop_makes_requests;
    else if (!CS_MAKE_ROOM(s->persistent, s->npersistent, s->persistent_cap))
        s->error = "not enough memory";
    else
        s->persistent[s->npersistent++] = bytes;
    return s->error ? -1 : 0;
}

/* What is sent: by a message, or handed in to a collective. 0, or -1 and the error. */
static int take_sent(struct cs_reader_stream *s, struct cs_reader_event *out, const struct cs_args *a, uint64_t times)
{
    int64_t message = out->dest == CS_PEER_NOBODY ? 0 : (int64_t)cs_args_sent(a);
    if (a->call->flags & CS_MPI_PERSISTENT)
        return made(s, a->call->kind == CS_MPI_COLL ? (int64_t)cs_args_contributed(a) : message, times);
    switch (a->call->kind) {
    case CS_MPI_SEND:
    case CS_MPI_ISEND:
    case CS_MPI_SENDRECV: out->sent = message; return 0;
    case CS_MPI_START: out->sent = started(s, a); return 0;
    case CS_MPI_COLL: out->sent = (int64_t)cs_args_contributed(a); return 0;
    default: return 0;
    }
}

static void take_arguments(struct cs_reader_event *out, const struct cs_args *a)
{
    int64_t tag = cs_args_scalar(a, cs_args_find(a, CS_ROLE_TAG));
    out->dest = peer(a, CS_ROLE_DEST);
    out->source = peer(a, CS_ROLE_SOURCE);
    out->comm_size = cs_args_comm_size(a);
    out->tag = tag == CS_UNUSED ? INT64_MIN : tag == CS_ANY ? CS_READER_ANY : tag;
    bool nobody = cs_args_find(a, CS_ROLE_SOURCE) >= 0 && out->source == CS_PEER_NOBODY;
    out->received = nobody ? 0 : (int64_t)cs_args_received(a);
}

/* What commslice.h says of a stored event, its place in the program included. 0, or -1 and the error. */
static int describe(struct cs_reader_stream *s, const struct cs_event *e, uint64_t times, struct cs_reader_event *out)
{
    const struct cs_reader *r = s->r;
    struct cs_args a;
    *out = (struct cs_reader_event){.call = cs_mpi_call(e->call)->name,
                                    .dest = CS_PEER_NOBODY,
                                    .source = CS_PEER_NOBODY,
                                    .tag = INT64_MIN,
                                    .times = (int64_t)times,
                                    .enter = e->t_enter,
                                    .leave = e->t_exit};
    cs_reader_place(r, site_of(r, s->rank, e), out);
    if (!(r->m ? cs_args_get_merged(&a, r->m, s->rank, e) : cs_args_get(&a, r->t, s->rank, e)))
        return 0;
    take_arguments(out, &a);
    return take_sent(s, out, &a, times);
}

/* The next event, and the number of its call. */
static int next(struct cs_reader_stream *s, struct cs_reader_event *e, int *call)
{
    struct cs_event raw;
    uint64_t times;
    int rc = raw_event(s, &raw, &times);
    if (rc == 1 && describe(s, &raw, times, e))
        rc = -1;
    *call = rc == 1 ? raw.call : -1;
    return rc;
}

int cs_reader_stream_next(struct cs_reader_stream *s, struct cs_reader_event *e)
{
    int call;
    return next(s, e, &call);
}

/* Puts one event into row i of the columns that are wanted. */
static void put(const struct cs_reader_columns *c, int64_t i, int call, const struct cs_reader_event *e)
{
    int32_t *const small[] = {c->call, c->line, c->dest, c->source, c->comm_size};
    const int32_t small_values[] = {call, e->line, e->dest, e->source, e->comm_size};
    int64_t *const large[] = {c->tag, c->sent, c->received, c->times, c->enter, c->leave};
    const int64_t large_values[] = {e->tag, e->sent, e->received, e->times, e->enter, e->leave};
    for (size_t k = 0; k < sizeof small / sizeof *small; k++)
        if (small[k])
            small[k][i] = small_values[k];
    for (size_t k = 0; k < sizeof large / sizeof *large; k++)
        if (large[k])
            large[k][i] = large_values[k];
    if (c->file)
        c->file[i] = e->file;
}

int64_t cs_reader_stream_columns(struct cs_reader_stream *s, const struct cs_reader_columns *columns, int64_t n)
{
    struct cs_reader_event e;
    int rc = 1, call;
    int64_t i = 0;
    while (i < n && (rc = next(s, &e, &call)) == 1)
        put(columns, i++, call, &e);
    return rc < 0 ? -1 : i;
}

const char *cs_reader_call_name(int call)
{
    return call >= 0 && call < cs_mpi_ncalls() ? cs_mpi_call(call)->name : NULL;
}
