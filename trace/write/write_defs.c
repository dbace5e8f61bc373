/* SPDX-License-Identifier: BSD-3-Clause
 * Writes the definitions of a trace: run info, calls, types, communicators, operations, call sites. Each rank writes a
 * definition once and refers to it by number. */
#define _GNU_SOURCE 1
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "api/mpi_calls.h"
#include "trace/counters.h"
#include "trace/write/write_internal.h"

/* A definition of this rank that was written, in a hash table by the hash of its bytes. */
struct cs_definition {
    XXH128_hash_t key; /* of the definition's bytes: content decides identity */
    int index;
    UT_hash_handle hh;
};

/* Starts a definition in the scratch buffer, which the caller appends to and emit_def or intern_def then take. */
static int begin_def(struct cs_trace_writer *w, enum cs_def_code code)
{
    w->scratch.len = 0;
    return w->err ? cs_write_fail(w, w->err) : cs_bytes_varint(&w->scratch, code);
}

/* Appends the definition in the scratch buffer to the block's, and to the crash buffer. 0, or -1 with errno. */
static int emit_def(struct cs_trace_writer *w)
{
    if (w->scratch.len > CS_MAX_SECTION)
        return cs_write_fail(w, EFBIG);
    if (w->defs.len + w->scratch.len > w->defs_limit && cs_trace_flush(w))
        return -1;
    size_t at = w->defs.len;
    if (cs_bytes_put(&w->defs, w->scratch.data, w->scratch.len))
        return cs_write_fail(w, ENOMEM);
    if (w->crash && cs_crash_def(w->crash, at, w->scratch.data, w->scratch.len))
        cs_write_leave_crash_buffer(w);
    return 0;
}

/* Emits the definition in the scratch buffer unless the rank has it already; returns its number, or -1 with errno. */
static int intern_def(struct cs_trace_writer *w, enum cs_def_code code)
{
    XXH128_hash_t key = XXH3_128bits(w->scratch.data, w->scratch.len);
    struct cs_definition *d;
    HASH_FIND(hh, w->known, &key, sizeof key, d);
    if (d)
        return d->index;
    d = calloc(1, sizeof *d);
    if (!d)
        return cs_write_fail(w, ENOMEM);
    if (emit_def(w)) {
        free(d);
        return -1;
    }
    d->key = key;
    d->index = w->ndefs[code]++;
    HASH_ADD(hh, w->known, key, sizeof d->key, d);
    return d->index;
}

int cs_trace_def_type(struct cs_trace_writer *w, const char *signature, int64_t size, int64_t extent, int64_t pieces)
{
    struct cs_bytes *b = &w->scratch;
    if (begin_def(w, CS_DEF_TYPE))
        return -1;
    if (cs_bytes_string(b, signature) || cs_bytes_varint(b, cs_zigzag(size)) || cs_bytes_varint(b, cs_zigzag(extent)) ||
        cs_bytes_varint(b, cs_zigzag(pieces)))
        return cs_write_fail(w, ENOMEM);
    return intern_def(w, CS_DEF_TYPE);
}

static int put_ranks(struct cs_bytes *b, const struct cs_ranges *r)
{
    if (cs_bytes_varint(b, (uint64_t)r->total))
        return -1;
    for (int i = 0; i < r->n; i++) {
        const struct cs_range *p = &r->range[i];
        if (cs_bytes_varint(b, cs_zigzag(p->start)) || cs_bytes_varint(b, cs_zigzag(p->len > 1 ? p->stride : 0)) ||
            cs_bytes_varint(b, (uint64_t)p->len))
            return -1;
    }
    return 0;
}

static int remember_comm_rank(struct cs_trace_writer *w, int index, struct cs_comm_rank me)
{
    struct cs_comm_rank *p = realloc(w->comm_rank, (size_t)w->ndefs[CS_DEF_COMM] * sizeof *p);
    if (!p)
        return cs_write_fail(w, ENOMEM);
    w->comm_rank = p;
    p[index] = me;
    return 0;
}

int cs_trace_def_comm_ranges(struct cs_trace_writer *w, const char *path, const struct cs_ranges *world_ranks)
{
    if (begin_def(w, CS_DEF_COMM))
        return -1;
    if (cs_bytes_string(&w->scratch, path) || put_ranks(&w->scratch, world_ranks))
        return cs_write_fail(w, ENOMEM);
    int index = intern_def(w, CS_DEF_COMM);
    struct cs_comm_rank me = {cs_ranges_find(world_ranks, (int)w->rank), world_ranks->total};
    return index < 0 || remember_comm_rank(w, index, me) ? -1 : index;
}

int cs_trace_def_comm(struct cs_trace_writer *w, const char *path, int nranks, const int *world_ranks)
{
    struct cs_ranges r = {0};
    int index = 0;
    for (int i = 0; i < nranks && index == 0; i++)
        index = cs_ranges_add(&r, world_ranks[i]);
    index = index ? cs_write_fail(w, ENOMEM) : cs_trace_def_comm_ranges(w, path, &r);
    cs_ranges_free(&r);
    return index;
}

int cs_trace_def_op(struct cs_trace_writer *w, const char *name)
{
    if (begin_def(w, CS_DEF_OP))
        return -1;
    if (cs_bytes_string(&w->scratch, name))
        return cs_write_fail(w, ENOMEM);
    return intern_def(w, CS_DEF_OP);
}

int cs_trace_def_site(struct cs_trace_writer *w, const char *file, int line, const char *func)
{
    struct cs_bytes *b = &w->scratch;
    if (begin_def(w, CS_DEF_SITE))
        return -1;
    if (cs_bytes_string(b, file) || cs_bytes_varint(b, cs_zigzag(line)) || cs_bytes_string(b, func))
        return cs_write_fail(w, ENOMEM);
    return intern_def(w, CS_DEF_SITE);
}

int cs_trace_def_counter(struct cs_trace_writer *w, const struct cs_counter_def *c)
{
    struct cs_bytes *b = &w->scratch;
    if (begin_def(w, CS_DEF_COUNTER))
        return -1;
    if (cs_bytes_string(b, c->file) || cs_bytes_varint(b, cs_zigzag(c->line)) || cs_bytes_string(b, c->func) ||
        cs_bytes_varint(b, (uint64_t)c->ordinal) || cs_bytes_varint(b, (uint64_t)c->kind << 1 | c->counted))
        return cs_write_fail(w, ENOMEM);
    return intern_def(w, CS_DEF_COUNTER);
}

static int put_sums(struct cs_bytes *b, const struct cs_segment *s)
{
    int64_t next = 0;
    int err = cs_bytes_varint(b, (uint64_t)s->nsums);
    for (int i = 0; i < s->nsums && !err; i++) {
        assert(s->sum[i].counter >= next);
        err = cs_bytes_varint(b, (uint64_t)(s->sum[i].counter - next)) || cs_bytes_varint(b, s->sum[i].sum) ? -1 : 0;
        next = s->sum[i].counter + 1;
    }
    return err;
}

/* Not interned: each pair of sites comes once. */
int cs_trace_def_segment(struct cs_trace_writer *w, const struct cs_segment *s)
{
    struct cs_bytes *b = &w->scratch;
    assert(s->from < w->ndefs[CS_DEF_SITE] && s->to < w->ndefs[CS_DEF_SITE]);
    assert(s->nsums == 0 || s->sum[s->nsums - 1].counter < w->ndefs[CS_DEF_COUNTER]);
    if (begin_def(w, CS_DEF_SEGMENT))
        return -1;
    if (cs_bytes_varint(b, (uint64_t)(s->from + 1)) || cs_bytes_varint(b, (uint64_t)(s->to + 1)) ||
        cs_bytes_varint(b, (uint64_t)s->times) || cs_bytes_varint(b, (uint64_t)s->ns) || put_sums(b, s))
        return cs_write_fail(w, ENOMEM);
    return emit_def(w);
}

static int number_call(struct cs_trace_writer *w, int call)
{
    int n = w->ndefs[CS_DEF_CALL];
    if (!CS_MAKE_ROOM(w->calls, n, w->calls_cap))
        return cs_write_fail(w, ENOMEM);
    if (begin_def(w, CS_DEF_CALL))
        return -1;
    if (cs_bytes_string(&w->scratch, cs_mpi_call(call)->name))
        return cs_write_fail(w, ENOMEM);
    w->calls[n] = (struct cs_written_call){(int16_t)call, cs_peers_of(call)};
    return intern_def(w, CS_DEF_CALL);
}

/* The number of a call (an index in the MPI table) in this rank's stream; the call is defined at its first use. The
 * search is linear, as it is only made for new symbols. -1 with errno. */
int cs_write_call_number(struct cs_trace_writer *w, int call)
{
    if (call < 0 || call >= cs_mpi_ncalls()) {
        errno = EINVAL;
        return -1;
    }
    for (int i = w->ndefs[CS_DEF_CALL] - 1; i >= 0; i--)
        if (w->calls[i].call == call)
            return i;
    return number_call(w, call);
}

static int set_unrecorded(struct cs_trace_writer *w, const char *text)
{
    if (begin_def(w, CS_DEF_UNRECORDED))
        return -1;
    if (cs_bytes_string(&w->scratch, text))
        return cs_write_fail(w, ENOMEM);
    return emit_def(w);
}

int cs_trace_set_info(struct cs_trace_writer *w, const struct cs_run_info *info)
{
    const char *text[] = {info->program, info->args, info->kind, info->engine, info->assumptions, info->versions};
    if (begin_def(w, CS_DEF_INFO))
        return -1;
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        if (cs_bytes_string(&w->scratch, text[i]))
            return cs_write_fail(w, ENOMEM);
    if (emit_def(w))
        return -1;
    return info->unrecorded ? set_unrecorded(w, info->unrecorded) : 0;
}

void cs_write_free_definitions(struct cs_trace_writer *w)
{
    struct cs_definition *d, *next;
    HASH_ITER (hh, w->known, d, next) {
        HASH_DEL(w->known, d);
        free(d);
    }
}
