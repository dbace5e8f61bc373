/* SPDX-License-Identifier: BSD-3-Clause
 * See aligned_ranks.h. Streams of as many events whose calls, places, marks and numbers of fields are the same in the
 * same order are of one kind. Kinds that are in several block classes get a common nest (common_nest.h); then a rank's
 * events section is the definitions of the nest's symbols, with the rank's values, and the nest. */
#include "trace/write/aligned_ranks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/grow.h"
#include "trace/format/format.h"
#include "trace/read/stored_blocks.h"
#include "trace/write/common_nest.h"

#define MOST_SECTION (1u << 20) /* bytes of a rank's sections, in its new form */
#define PLACES 64               /* call sites of which the last symbol is known */

const struct cs_align_limits cs_align_limits = {.streams = 8192, .memory = 128u << 20, .steps = 1u << 23};

/* A rank's stream, while it is compared with others. */
struct stream {
    int rank;
    uint32_t kind, in_kind; /* in_kind: its number among the streams of the kind */
    struct cs_loaded_stream s;
};

/* Streams that have, or may have, a form in common. */
struct kind {
    struct {
        struct cs_stream_sum shape;
        uint64_t nevents;
    } key;
    uint32_t number; /* from 0 */
    uint32_t nstreams, nclasses;
    const struct cs_block_class *last_class;
    struct cs_common_nest nest;
    bool has_nest;
    uint32_t *before;  /* of each symbol: the last one of the same call and place in front of it, plus 1; 0: none */
    uint32_t *changed; /* the fields in which some stream differs from that one, a bit each */
    UT_hash_handle hh;
};

/*  stream[]: all ranks with events, ascending;  kind[stream[i].kind] has those that are alike, kinds finds them by key
 */
struct cs_aligned {
    const struct cs_trace *t;
    const struct cs_align_limits *most;
    size_t memory; /* of the streams that are loaded */
    struct stream *stream;
    uint32_t nstreams, cap;
    struct kind **kind;
    uint32_t nkinds, kind_cap;
    struct kind *kinds;
};

void cs_aligned_free(struct cs_aligned *a)
{
    if (!a)
        return;
    HASH_CLEAR(hh, a->kinds);
    for (uint32_t i = 0; i < a->nstreams; i++)
        cs_loaded_stream_free(&a->stream[i].s);
    for (uint32_t i = 0; i < a->nkinds; i++) {
        cs_common_nest_free(&a->kind[i]->nest);
        free(a->kind[i]->before);
        free(a->kind[i]->changed);
        free(a->kind[i]);
    }
    free(a->kind);
    free(a->stream);
    free(a);
}

/* The first block with events, or NULL. */
static const struct cs_trace_block *first_block(const struct cs_trace_rank *r)
{
    size_t i = 0;
    while (i < r->nblocks && r->block[i].nevents == 0)
        i++;
    return i < r->nblocks ? &r->block[i] : NULL;
}

/* ---- kinds ---- */

static struct kind *kind_of(struct cs_aligned *a, const struct cs_loaded_stream *s)
{
    struct kind *k = calloc(1, sizeof *k), *known;
    if (!k || !CS_MAKE_ROOM(a->kind, a->nkinds, a->kind_cap) ||
        cs_loaded_stream_sum(s, cs_symbol_shape, &k->key.shape)) {
        free(k);
        return NULL;
    }
    k->key.nevents = s->nevents;
    HASH_FIND(hh, a->kinds, &k->key, sizeof k->key, known);
    if (known) {
        free(k);
        return known;
    }
    k->number = a->nkinds;
    a->kind[a->nkinds++] = k;
    HASH_ADD(hh, a->kinds, key, sizeof k->key, k);
    return k;
}

/* 1; 0: too much for this; -1: no memory. */
static int take_rank(struct cs_aligned *a, const struct cs_trace_rank *r)
{
    const struct cs_trace_block *b = first_block(r);
    if (!b)
        return 1;
    if (a->nstreams == a->most->streams || a->memory > a->most->memory)
        return 0;
    if (!CS_MAKE_ROOM(a->stream, a->nstreams, a->cap))
        return -1;
    struct stream *s = &a->stream[a->nstreams++];
    *s = (struct stream){.rank = r->rank};
    int rc = cs_load_stream(a->t, r->rank, &s->s);
    struct kind *k = rc == 1 ? kind_of(a, &s->s) : NULL;
    if (!k)
        return rc == 1 ? -1 : rc;
    s->kind = k->number;
    s->in_kind = k->nstreams++;
    k->nclasses += !b->cls || b->cls != k->last_class;
    k->last_class = b->cls;
    a->memory += ((size_t)s->s.n + s->s.arena_n) * sizeof *s->s.item + s->s.symbols.nfields * sizeof(int64_t) +
                 s->s.symbols.n * sizeof *s->s.symbols.symbol;
    return 1;
}

/* ---- the form that the streams of a kind have in common ---- */

static const struct cs_symbol *symbol_at(const struct cs_loaded_stream *s, const struct kind *k, uint32_t in_kind,
                                         uint32_t symbol)
{
    return &s->symbols.symbol[k->nest.symbol[(size_t)symbol * k->nest.nstreams + in_kind]];
}

/* Finds for each symbol the last one in front of it whose events are of the same call and place. */
static void find_before(const struct cs_loaded_stream *s, struct kind *k)
{
    uint32_t last[PLACES] = {0};
    for (uint32_t i = 0; i < k->nest.nsymbols; i++) {
        const struct cs_symbol *l = symbol_at(s, k, 0, i);
        uint32_t *at = &last[(uint32_t)(l->site + l->call) % PLACES];
        const struct cs_symbol *o = symbol_at(s, k, 0, *at ? *at - 1 : i);
        if (l->nfields <= CS_ALIKE_FIELDS && o->call == l->call && o->site == l->site && o->mark == l->mark &&
            o->nfields == l->nfields)
            k->before[i] = *at;
        *at = i + 1;
    }
}

/* Adds the fields in which this stream has changes. */
static void add_changes(const struct cs_loaded_stream *s, uint32_t in_kind, struct kind *k)
{
    for (uint32_t i = 0; i < k->nest.nsymbols; i++) {
        if (!k->before[i])
            continue;
        const struct cs_symbol *l = symbol_at(s, k, in_kind, i), *o = symbol_at(s, k, in_kind, k->before[i] - 1);
        for (int f = 0; f < l->nfields; f++)
            k->changed[i] |=
                (uint32_t)(s->symbols.arena[l->first + (uint32_t)f] != s->symbols.arena[o->first + (uint32_t)f]) << f;
    }
}

static int find_changes(struct cs_aligned *a, struct kind *k, const struct cs_loaded_stream *first)
{
    k->before = calloc((size_t)k->nest.nsymbols + 1, sizeof *k->before);
    k->changed = calloc((size_t)k->nest.nsymbols + 1, sizeof *k->changed);
    if (!k->before || !k->changed)
        return -1;
    find_before(first, k);
    for (uint32_t i = 0; i < a->nstreams; i++)
        if (a->stream[i].kind == k->number)
            add_changes(&a->stream[i].s, a->stream[i].in_kind, k);
    return 0;
}

/* -1: no memory. Without a common nest the kind has none. */
static int align_kind(struct cs_aligned *a, struct kind *k)
{
    const struct cs_loaded_stream **s = malloc(k->nstreams * sizeof *s);
    uint32_t n = 0;
    if (!s)
        return -1;
    for (uint32_t i = 0; i < a->nstreams; i++)
        if (a->stream[i].kind == k->number)
            s[n++] = &a->stream[i].s;
    assert(n == k->nstreams);
    int rc = cs_common_nest(s, n, a->most->steps, &k->nest);
    k->has_nest = rc == 1;
    if (rc == 1)
        rc = find_changes(a, k, s[0]);
    free(s);
    return rc < 0 ? -1 : 0;
}

int cs_align_ranks(const struct cs_trace *t, const struct cs_align_limits *most, struct cs_aligned **out)
{
    struct cs_aligned *a = calloc(1, sizeof *a);
    bool found = false;
    int rc = a ? 1 : -1;
    if (a) {
        a->t = t;
        a->most = most;
    }
    for (int i = 0; i < cs_trace_info(t)->nranks && rc == 1; i++) {
        const struct cs_trace_rank *r = cs_trace_find_rank(t, i);
        rc = r ? take_rank(a, r) : 0; /* the other shares of the run are to come */
    }
    for (uint32_t i = 0; rc == 1 && i < a->nkinds; i++) {
        if (a->kind[i]->nclasses > 1 && align_kind(a, a->kind[i]))
            rc = -1;
        found |= a->kind[i]->has_nest;
    }
    if (rc == 1 && found) {
        *out = a;
        return 1;
    }
    cs_aligned_free(a);
    return rc < 0 ? -1 : 0;
}

/* ---- what is written ---- */

static const struct stream *stream_of(const struct cs_aligned *a, int rank)
{
    uint32_t lo = 0, hi = a->nstreams;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (a->stream[mid].rank < rank)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < a->nstreams && a->stream[lo].rank == rank ? &a->stream[lo] : NULL;
}

uint32_t cs_aligned_first(const struct cs_aligned *a, int rank)
{
    const struct stream *s = stream_of(a, rank);
    return s && a->kind[s->kind]->has_nest ? first_block(cs_trace_find_rank(a->t, rank))->seq : UINT32_MAX;
}

/* The rank's own number of a call. */
static uint64_t call_number(const struct cs_trace_rank *r, int call)
{
    int i = 0;
    while (i < r->ncalls && r->call[i] != call)
        i++;
    assert(i < r->ncalls);
    return (uint64_t)i;
}

static int put_symbol(struct cs_bytes *out, const struct cs_trace_rank *r, const struct cs_symbol *l,
                      const int64_t *fields)
{
    int rc = cs_bytes_varint(out, CS_REC_SYMBOL) || cs_bytes_varint(out, call_number(r, l->call)) ||
             cs_bytes_varint(out, (uint64_t)l->mark) || cs_bytes_varint(out, (uint64_t)(l->site + 1)) ||
             cs_bytes_varint(out, (uint64_t)l->nfields);
    for (int i = 0; i < l->nfields && !rc; i++)
        rc = cs_bytes_varint(out, cs_zigzag(fields[i]));
    return rc;
}

static int put_difference(struct cs_bytes *out, uint32_t back, uint32_t changed, const int64_t *before,
                          const int64_t *fields)
{
    int rc = cs_bytes_varint(out, CS_REC_ALIKE) || cs_bytes_varint(out, back) || cs_bytes_varint(out, changed);
    for (int i = 0; changed >> i && !rc; i++)
        if (changed >> i & 1)
            rc = cs_bytes_varint(out, cs_zigzag((int64_t)((uint64_t)fields[i] - (uint64_t)before[i])));
    return rc;
}

static int put_symbols(struct cs_bytes *out, const struct kind *k, const struct stream *s,
                       const struct cs_trace_rank *r)
{
    const int64_t *arena = s->s.symbols.arena;
    int rc = 0;
    for (uint32_t i = 0; i < k->nest.nsymbols && !rc; i++) {
        const struct cs_symbol *l = symbol_at(&s->s, k, s->in_kind, i);
        uint32_t before = k->before[i];
        if (before)
            rc = put_difference(out, i + 1 - before, k->changed[i],
                                arena + symbol_at(&s->s, k, s->in_kind, before - 1)->first, arena + l->first);
        else
            rc = put_symbol(out, r, l, arena + l->first);
    }
    return rc;
}

int cs_aligned_sections(const struct cs_aligned *a, int rank, struct cs_aligned_block *b, struct cs_bytes *defs,
                        struct cs_bytes *events)
{
    const struct stream *s = stream_of(a, rank);
    const struct kind *k = a->kind[s->kind];
    const struct cs_trace_rank *r = cs_trace_find_rank(a->t, rank);
    const struct cs_trace_block *first = first_block(r), *end = r->block + r->nblocks;
    struct cs_bytes more = {0};
    int rc = 0;
    *b = (struct cs_aligned_block){first->seq, end[-1].flags, s->kind + 1, s->s.nevents};
    defs->len = events->len = 0;
    for (const struct cs_trace_block *i = first; i < end && !rc; i++)
        rc = cs_read_section(a->t, i, false, &more) || cs_bytes_put(defs, more.data, more.len);
    rc = rc || put_symbols(events, k, s, r) || cs_bytes_put(events, k->nest.items.data, k->nest.items.len);
    cs_bytes_free(&more);
    return rc || defs->len > MOST_SECTION || events->len > MOST_SECTION ? -1 : 0;
}

/* ---- is it the same? ---- */

static bool same_events(const struct cs_trace *t, const struct stream *s, const struct cs_trace *other)
{
    struct cs_loaded_stream o = {0};
    struct cs_stream_sum x, y;
    bool same = cs_trace_rank_state(other, s->rank) == cs_trace_rank_state(t, s->rank) &&
                cs_load_stream(other, s->rank, &o) == 1 && o.nevents == s->s.nevents &&
                cs_loaded_stream_sum(&s->s, cs_symbol_content, &x) == 0 &&
                cs_loaded_stream_sum(&o, cs_symbol_content, &y) == 0 && x.a == y.a && x.b == y.b;
    cs_loaded_stream_free(&o);
    return same;
}

bool cs_aligned_are_same(const struct cs_aligned *a, const struct cs_trace *other)
{
    bool same = true;
    for (uint32_t i = 0; i < a->nstreams && same; i++)
        same = same_events(a->t, &a->stream[i], other);
    return same;
}
