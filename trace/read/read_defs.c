/* SPDX-License-Identifier: BSD-3-Clause
 * Decodes the definitions of a rank: calls, types, communicators, operations, sites, and the run info.
 * Equal content of many ranks is stored once, in the trace's pool. */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/mpi_calls.h"
#include "base/grow.h"
#include "trace/read/read_internal.h"

#define MAX_EXPANDED ((size_t)1 << 26) /* ranks in all different communicators of a trace */

/* Reads a string into the trace's pool; NULL for a NULL string. Bad bytes or a lack of memory make the cursor bad. */
static const char *get_string(struct cs_trace *t, struct cs_cursor *c)
{
    const char *s;
    size_t len;
    cs_cursor_string(c, &s, &len);
    if (!s)
        return NULL;
    s = cs_pool_bytes(&t->pool, s, len);
    c->bad |= !s;
    return s;
}

static int get_info(struct cs_trace *t, const struct cs_trace_rank *r, struct cs_cursor *c)
{
    struct cs_run_info i = t->info;
    const char **text[] = {&i.program, &i.args, &i.kind, &i.engine, &i.assumptions, &i.versions};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        *text[k] = get_string(t, c);
    if (!c->bad && r == t->rank) /* the lowest: 0, or that of a replay */
        t->info = i;
    return 0;
}

static int get_unrecorded(struct cs_trace *t, const struct cs_trace_rank *r, struct cs_cursor *c)
{
    const char *text = get_string(t, c);
    if (!c->bad && r == t->rank) /* the lowest: 0, or that of a replay */
        t->info.unrecorded = text;
    return 0;
}

static int get_call(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    const char *name = get_string(t, c);
    if (!name) {
        c->bad = true;
        return 0;
    }
    const struct cs_mpi_call *call = cs_mpi_find(name);
    if (!CS_ONE_MORE(r->call_name, r->ncalls) || !CS_ONE_MORE(r->call, r->ncalls))
        return -1;
    r->call_name[r->ncalls] = name;
    r->call[r->ncalls++] = call ? cs_mpi_index(call) : -1;
    return 0;
}

static int get_type(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    if (!CS_ONE_MORE(r->type, r->ntypes))
        return -1;
    struct cs_type_def *p = &r->type[r->ntypes];
    p->signature = get_string(t, c);
    p->size = cs_unzigzag(cs_cursor_varint(c));
    p->extent = cs_unzigzag(cs_cursor_varint(c));
    p->pieces = cs_unzigzag(cs_cursor_varint(c));
    r->ntypes++;
    return 0;
}

/* Fills ranks[0..n) from progressions (start, stride, length). */
static void expand(struct cs_cursor *c, int *ranks, int n)
{
    for (int i = 0; i < n && !c->bad;) {
        int64_t start = cs_unzigzag(cs_cursor_varint(c));
        int64_t stride = cs_unzigzag(cs_cursor_varint(c));
        int len = (int)cs_cursor_below(c, (uint64_t)(n - i));
        bool fits = len > 0 && start >= INT_MIN && start <= INT_MAX && stride >= -(int64_t)UINT_MAX &&
                    stride <= UINT_MAX && start + stride * (len - 1) >= INT_MIN &&
                    start + stride * (len - 1) <= INT_MAX;
        if (!fits) {
            c->bad = true;
            return;
        }
        for (int k = 0; k < len; k++)
            ranks[i++] = (int)(start + stride * k);
    }
}

/* Moves the cursor over a list of n ranks. */
static void skip_ranks(struct cs_cursor *c, int n)
{
    for (int i = 0; i < n && !c->bad;) {
        cs_cursor_varint(c);
        cs_cursor_varint(c);
        uint64_t len = cs_cursor_below(c, (uint64_t)(n - i));
        c->bad |= len == 0;
        i += (int)len;
    }
}

static int get_comm(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    if (!CS_ONE_MORE(r->comm, r->ncomms))
        return -1;
    struct cs_comm_def *p = &r->comm[r->ncomms];
    p->path = get_string(t, c);
    const unsigned char *list = c->p;
    p->nranks = (int)cs_cursor_below(c, (uint64_t)t->info.nranks);
    struct cs_cursor body = *c;
    skip_ranks(c, p->nranks);
    if (c->bad)
        return 0;
    int **ranks = cs_pool_ranks(&t->pool, list, (size_t)(c->p - list));
    if (!ranks)
        return -1;
    if (!*ranks) {
        t->pool.expanded += (size_t)p->nranks;
        if (t->pool.expanded > MAX_EXPANDED || !(*ranks = calloc((size_t)p->nranks + 1, sizeof **ranks))) {
            errno = ENOMEM;
            return -1;
        }
        expand(&body, *ranks, p->nranks);
        c->bad |= body.bad;
    }
    p->world_ranks = *ranks;
    r->ncomms++;
    return 0;
}

static int get_op(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    if (!CS_ONE_MORE(r->op, r->nops))
        return -1;
    const char **p = &r->op[r->nops];
    *p = get_string(t, c);
    r->nops++;
    return 0;
}

static int get_site(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    if (!CS_ONE_MORE(r->site, r->nsites))
        return -1;
    struct cs_site *p = &r->site[r->nsites];
    p->file = get_string(t, c);
    int64_t line = cs_unzigzag(cs_cursor_varint(c));
    c->bad |= line < INT_MIN || line > INT_MAX;
    p->line = (int)line;
    p->func = get_string(t, c);
    r->nsites++;
    return 0;
}

static int get_counter(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    if (!CS_ONE_MORE(r->counter, r->ncounters))
        return -1;
    struct cs_counter_def *p = &r->counter[r->ncounters];
    memset(p, 0, sizeof *p); /* its padding, too: share_counters() compares bytes */
    p->file = get_string(t, c);
    int64_t line = cs_unzigzag(cs_cursor_varint(c));
    c->bad |= line < INT_MIN || line > INT_MAX;
    p->line = (int)line;
    p->func = get_string(t, c);
    p->ordinal = (int)cs_cursor_below(c, INT_MAX);
    uint64_t kind = cs_cursor_below(c, 2 * CS_COUNTER_KINDS - 1);
    p->kind = (enum cs_counter_kind)(kind >> 1);
    p->counted = kind & 1;
    r->ncounters++;
    return 0;
}

/* Reads n sums into the pool, as ranks that do the same have the same ones; t NULL: only checks them. 0, or -1 when
 * memory is short. */
static int get_sums(struct cs_trace *t, const struct cs_trace_rank *r, struct cs_cursor *c, struct cs_segment *s)
{
    struct cs_count *sum = t ? calloc((size_t)s->nsums + 1, sizeof *sum) : NULL;
    int64_t next = 0;
    for (int i = 0; i < s->nsums && !c->bad; i++) {
        c->bad |= next >= r->ncounters;
        struct cs_count one = {.counter = next};
        one.counter += (int64_t)cs_cursor_below(c, c->bad ? 0 : (uint64_t)(r->ncounters - 1 - next));
        one.sum = cs_cursor_varint(c);
        next = one.counter + 1;
        if (sum)
            sum[i] = one;
    }
    if (!t)
        return 0;
    s->sum = sum ? (const void *)cs_pool_bytes(&t->pool, sum, (size_t)s->nsums * sizeof *sum) : NULL;
    free(sum);
    return s->sum ? 0 : -1;
}

static int get_segment(struct cs_trace *t, const struct cs_trace_rank *r, struct cs_cursor *c, struct cs_segment *s)
{
    s->from = (int)cs_cursor_below(c, (uint64_t)r->nsites) - 1;
    s->to = (int)cs_cursor_below(c, (uint64_t)r->nsites) - 1;
    s->times = (int64_t)cs_cursor_below(c, INT64_MAX);
    s->ns = (int64_t)cs_cursor_below(c, INT64_MAX);
    s->nsums = (int)cs_cursor_below(c, (uint64_t)r->ncounters);
    return get_sums(t, r, c, s);
}

/* Checks a segment; keeps it where that is wanted. Few of those who read a trace ask for segments, which each rank has
 * of its own. */
static int take_segment(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    struct cs_segment checked;
    if (r->want_segments && !CS_ONE_MORE(r->segment, r->nsegments))
        return -1;
    int rc = get_segment(r->want_segments ? t : NULL, r, c, r->want_segments ? &r->segment[r->nsegments] : &checked);
    r->nsegments++;
    return rc;
}

/* 0, or -1 when memory is short; bad bytes show in the cursor. */
static int get_def(struct cs_trace *t, struct cs_trace_rank *r, struct cs_cursor *c)
{
    switch (cs_cursor_varint(c)) {
    case CS_DEF_INFO: return get_info(t, r, c);
    case CS_DEF_CALL: return get_call(t, r, c);
    case CS_DEF_TYPE: return get_type(t, r, c);
    case CS_DEF_COMM: return get_comm(t, r, c);
    case CS_DEF_OP: return get_op(t, r, c);
    case CS_DEF_SITE: return get_site(t, r, c);
    case CS_DEF_UNRECORDED: return get_unrecorded(t, r, c);
    case CS_DEF_COUNTER: return get_counter(t, r, c);
    case CS_DEF_SEGMENT: return take_segment(t, r, c);
    default: c->bad = true; return 0;
    }
}

/* Counters go to the pool, as all ranks have the same ones. 0, or -1 when memory is short. */
static int share_counters(struct cs_trace *t, struct cs_trace_rank *r)
{
    struct cs_counter_def *own = r->counter;
    if (!own)
        return 0;
    r->counter = (void *)cs_pool_bytes(&t->pool, own, (size_t)r->ncounters * sizeof *own);
    free(own);
    if (!r->counter)
        r->ncounters = 0;
    return r->counter ? 0 : -1;
}

int cs_read_defs(struct cs_trace *t, struct cs_trace_rank *r, char *errbuf, size_t errlen)
{
    struct cs_bytes raw = {0};
    int rc = 0;
    for (size_t i = 0; i < r->nblocks && rc == 0; i++) {
        struct cs_cursor c = {.bad = cs_read_section(t, &r->block[i], false, &raw) != 0};
        c.p = raw.data;
        c.end = raw.data + raw.len;
        while (rc == 0 && !c.bad && c.p < c.end)
            rc = get_def(t, r, &c);
        if (rc)
            cs_error_text(errbuf, errlen, "not enough memory for the definitions of rank %d", r->rank);
        else if (c.bad)
            rc = cs_error_text(errbuf, errlen, "bad definition in block %zu of rank %d", i, r->rank);
    }
    cs_bytes_free(&raw);
    if (share_counters(t, r) && rc == 0)
        rc = cs_error_text(errbuf, errlen, "not enough memory for the definitions of rank %d", r->rank);
    return rc;
}

/* Reads all definitions once more, into tables of their own, of which the segments are kept. */
int cs_read_segments(struct cs_trace *t, struct cs_trace_rank *r, char *errbuf, size_t errlen)
{
    struct cs_trace_rank again = {.rank = r->rank, .block = r->block, .nblocks = r->nblocks, .want_segments = true};
    int rc = cs_read_defs(t, &again, errbuf, errlen);
    if (rc == 0 && again.nsegments != r->nsegments)
        rc = cs_error_text(errbuf, errlen, "the definitions of rank %d have changed while they were read", r->rank);
    if (rc == 0) {
        r->segment = again.segment;
        again.segment = NULL;
    }
    cs_free_defs(&again);
    return rc;
}

void cs_free_defs(struct cs_trace_rank *r)
{
    free(r->segment);
    if (r->shares)
        return;
    free(r->site);
    free(r->type);
    free(r->comm);
    free(r->op);
    free(r->call);
    free(r->call_name);
}
