/* SPDX-License-Identifier: BSD-3-Clause
 * Algorithm 2: merges the streams of all classes into one sequence. Heads of one kind become one symbol; the kind that
 * is farthest away in the other streams goes first. A rank's own order never changes, so any result is a correct
 * program. Streams that are too long to unroll keep loops, which combine when they run equally often. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "trace/merge/interned.h"
#include "trace/merge/merge_flat.h"
#include "trace/merge/merge_internal.h"
#include "base/error_text.h"

#define LOOKAHEAD 1000       /* places */
#define SYMBOLS_MAX 40000000 /* items of all classes, before loops are kept */

/* A kind of call: calls of one kind combine. -2 in site or comm: it does not matter. */
struct kind {
    struct {
        int call, site, comm;
    } k;
    int number;
    UT_hash_handle hh;
};

/* All of Algorithm 2. */
struct merge {
    struct cs_merging *g;
    int nclasses, nkinds;
    struct kind *kinds;
    int **kind_of; /* by class and item's symbol */
    bool keep_loops;
    struct cs_interned symbols; /* entries: class, variant, class, variant, ... */
    struct cs_interned loops;   /* entries: count (two words), items of the body */
};

/* ---- what can combine ---- */

static bool is_collective(enum cs_mpi_kind k)
{
    return k == CS_MPI_COLL || k == CS_MPI_BARRIER || k == CS_MPI_COMM_CTOR || k == CS_MPI_INIT || k == CS_MPI_FINALIZE;
}

/* The kind of a record. Calls of one call site combine; collectives of one communicator combine whatever their call
 * site. */
static int kind_of_record(struct merge *x, const struct cs_merged_record *l)
{
    struct kind key = {0}, *k;
    bool coll = is_collective(cs_mpi_call(l->call)->kind);
    key.k.call = l->call;
    key.k.site = coll ? -2 : l->site;
    key.k.comm = coll || l->site < 0 ? l->comm : -2;
    HASH_FIND(hh, x->kinds, &key.k, sizeof key.k, k);
    if (k)
        return k->number;
    if (!(k = malloc(sizeof *k)))
        return -1;
    *k = key;
    k->number = x->nkinds++;
    HASH_ADD(hh, x->kinds, k, sizeof k->k, k);
    return k->number;
}

static int find_kinds(struct merge *x)
{
    x->kind_of = calloc((size_t)x->nclasses + 1, sizeof *x->kind_of);
    for (int c = 0; x->kind_of && c < x->nclasses; c++) {
        const struct cs_stream *s = &x->g->stream[c];
        if (!(x->kind_of[c] = malloc(((size_t)s->nvariants + 1) * sizeof **x->kind_of)))
            return -1;
        for (int i = 0; i < s->nvariants; i++)
            if ((x->kind_of[c][i] = kind_of_record(x, &x->g->m->record[s->variant[i].record])) < 0)
                return -1;
    }
    return x->kind_of ? 0 : -1;
}

/* ---- one merge of strings ---- */

/* What is to be merged of one class. */
struct source {
    int cls;
    const uint32_t *item;
    int64_t n;
};

/* The longest loops that can be unrolled so that all together have at most SYMBOLS_MAX items. */
static int64_t choose_keep(const struct merge *x, const struct source *src, int n)
{
    int64_t max = x->g->o->symbols_max > 0 ? x->g->o->symbols_max : SYMBOLS_MAX;
    for (int64_t keep = INT64_MAX;; keep = keep > max ? max : keep / 2) {
        int64_t sum = 0;
        for (int i = 0; i < n && sum <= max; i++)
            sum += cs_flat_length(&x->g->nests, src[i].item, src[i].n, keep);
        if (sum <= max || keep <= 1)
            return keep;
    }
}

/* One class's string; `at` is its head. */
struct side {
    int cls;
    const uint32_t *item;
    int32_t *next; /* the next place of the same kind, or n */
    int32_t n, at;
    int32_t *first; /* of each kind: its first place from `at` on, or n */
};

/* The strings of one merge. Each step picks the kind of one head and takes all heads of that kind. */
struct strings {
    struct merge *x;
    struct side *side;
    int n;
    int *loop_kind;   /* of each loop of x->g->nests; -1: not seen yet */
    int *open, nopen; /* sides that are not at their end */
    int kinds;
    int *stamp, *group, step; /* by kind, for the step at hand */
    int64_t most;             /* lookahead */
    struct cs_items *out;
};

static int kind_at(const struct strings *q, const struct side *s, int32_t i)
{
    uint32_t item = s->item[i];
    return cs_item_is_loop(item) ? q->loop_kind[cs_item_number(item)] : q->x->kind_of[s->cls][cs_item_number(item)];
}

/* Sets seen[kind] for each kind of call in item[0..n), and in the loops there. */
static void mark_kinds(const struct merge *x, int cls, const uint32_t *item, uint32_t n, uint8_t *seen)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = cs_item_number(item[i]);
        if (cs_item_is_loop(item[i])) {
            assert(number < x->g->nests.n);
            const struct cs_nested *l = &x->g->nests.loop[number];
            mark_kinds(x, cls, x->g->nests.arena + l->first, l->n, seen);
        } else {
            assert(number < (uint32_t)x->g->stream[cls].nvariants);
            seen[x->kind_of[cls][number]] = 1;
        }
    }
}

/* Loops of one kind: how often they run, and which kinds of calls one of them has. */
struct loop_group {
    uint64_t count;
    uint8_t *seen;
};

/* Loops are of one kind when they run equally often and have a kind of call in common. A loop is looked at once, for
 * the first class that has it. */
static int number_loops(struct strings *q)
{
    struct loop_group *group = NULL;
    size_t cap = 0, n = 0;
    int calls = q->x->nkinds, rc = -1;
    uint8_t *seen = malloc((size_t)calls + 1);
    if (!seen)
        return -1;
    for (int i = 0; i < q->n; i++)
        for (int32_t k = 0; k < q->side[i].n; k++) {
            uint32_t item = q->side[i].item[k];
            if (!cs_item_is_loop(item) || q->loop_kind[cs_item_number(item)] >= 0)
                continue;
            const struct cs_nested *l = &q->x->g->nests.loop[cs_item_number(item)];
            memset(seen, 0, (size_t)calls);
            mark_kinds(q->x, q->side[i].cls, q->x->g->nests.arena + l->first, l->n, seen);
            size_t at = 0;
            for (bool common = false; at < n && !common; at += !common)
                for (int c = 0; group[at].count == l->count && c < calls && !common; c++)
                    common = seen[c] && group[at].seen[c];
            if (at == n) {
                if (!CS_MAKE_ROOM_FOR(group, n + 1, cap) || !(group[n].seen = calloc((size_t)calls + 1, 1)))
                    goto end;
                group[n++].count = l->count;
            }
            for (int c = 0; c < calls; c++)
                group[at].seen[c] |= seen[c];
            q->loop_kind[cs_item_number(item)] = calls + (int)at;
        }
    rc = 0;
end:
    q->kinds = calls + (int)n;
    for (size_t i = 0; i < n; i++)
        free(group[i].seen);
    free(group);
    free(seen);
    return rc;
}

static int index_side(struct strings *q, struct side *s)
{
    s->next = malloc(((size_t)s->n + 1) * sizeof *s->next);
    s->first = malloc(((size_t)q->kinds + 1) * sizeof *s->first);
    if (!s->next || !s->first)
        return -1;
    for (int k = 0; k < q->kinds; k++)
        s->first[k] = s->n;
    for (int32_t i = s->n - 1; i >= 0; i--) {
        int k = kind_at(q, s, i);
        s->next[i] = s->first[k];
        s->first[k] = i;
    }
    return 0;
}

/* The least distance, in items, from the head of a stream with another head to the kind; INT32_MAX: no stream has it
 * within the lookahead. */
static int32_t distance(const struct strings *q, int kind)
{
    int32_t least = INT32_MAX;
    for (int i = 0; i < q->nopen; i++) {
        const struct side *s = &q->side[q->open[i]];
        int32_t d = s->first[kind] - s->at;
        if (d > 0 && s->first[kind] < s->n && d < least && d <= q->most)
            least = d;
    }
    return least;
}

/* The kind of head that goes first: the one with the largest distance, among equals the one with the lowest number. */
static int choose_kind(struct strings *q)
{
    int best = -1;
    int32_t farthest = 0;
    q->step++;
    for (int i = 0; i < q->nopen; i++) {
        const struct side *s = &q->side[q->open[i]];
        int kind = kind_at(q, s, s->at);
        q->group[i] = kind;
        if (q->stamp[kind] == q->step)
            continue;
        q->stamp[kind] = q->step;
        if (i == 0) {
            best = kind;
            farthest = -1; /* not computed: it may be the only one */
            continue;
        }
        if (farthest < 0)
            farthest = distance(q, best);
        int32_t d = distance(q, kind);
        if (d > farthest || (d == farthest && kind < best)) {
            best = kind;
            farthest = d;
        }
    }
    return best;
}

static int merge_sources(struct merge *x, const struct source *src, int n, struct cs_items *out);

/* Merges the loops part[0..n) = class, loop, class, loop, ... into one loop; returns its number in x->loops, or -1. */
static int64_t merge_loops(struct merge *x, const uint32_t *part, uint32_t n)
{
    struct source *src = calloc(n, sizeof *src);
    struct cs_items out = {0};
    const struct cs_nests *nests = &x->g->nests;
    uint64_t count = nests->loop[part[1]].count;
    int64_t loop = -1;
    for (uint32_t i = 0; src && i < n / 2; i++) {
        const struct cs_nested *l = &nests->loop[part[2 * i + 1]];
        src[i] = (struct source){(int)part[2 * i], nests->arena + l->first, l->n};
    }
    if (src && !cs_items_push(&out, (uint32_t)count) && !cs_items_push(&out, (uint32_t)(count >> 32)) &&
        !merge_sources(x, src, (int)(n / 2), &out))
        loop = cs_intern(&x->loops, out.item, (uint32_t)out.n);
    free(src);
    free(out.item);
    return loop;
}

/* Combines the heads of this kind into one item of the output; those streams advance. `part` is scratch. */
static int take(struct strings *q, int kind, uint32_t *part)
{
    uint32_t n = 0;
    bool loop = false;
    for (int i = 0; i < q->nopen; i++) {
        if (q->group[i] != kind)
            continue;
        struct side *s = &q->side[q->open[i]];
        loop = cs_item_is_loop(s->item[s->at]);
        part[n++] = (uint32_t)s->cls;
        part[n++] = cs_item_number(s->item[s->at]);
        s->first[kind] = s->next[s->at++];
    }
    assert(n > 0);
    int64_t item = loop ? merge_loops(q->x, part, n) : cs_intern(&q->x->symbols, part, n);
    return item < 0 ? -1 : cs_items_push(q->out, (uint32_t)(2 * item + loop));
}

static int run(struct strings *q, uint32_t *part)
{
    int64_t done = 0, total = 0;
    for (int i = 0; i < q->n; i++)
        total += q->side[i].n;
    for (int i = 0; i < q->n; i++)
        if (q->side[i].n)
            q->open[q->nopen++] = i;
    while (q->nopen) {
        if (take(q, choose_kind(q), part))
            return -1;
        int left = 0;
        for (int i = 0; i < q->nopen; i++)
            if (q->side[q->open[i]].at < q->side[q->open[i]].n)
                q->open[left++] = q->open[i];
        q->nopen = left;
        if ((++done & 0xffff) == 0 && q->x->g->o->progress)
            q->x->g->o->progress("merging", done, total / q->n);
    }
    return 0;
}

/* Merges the strings in side[0..n), of which class, items and length are set, and appends the result to out. */
static int merge_strings(struct merge *x, struct side *side, int n, struct cs_items *out)
{
    struct strings q = {
        .x = x, .side = side, .n = n, .out = out, .most = x->g->o->lookahead ? x->g->o->lookahead : LOOKAHEAD};
    uint32_t *part = malloc(2 * ((size_t)n + 1) * sizeof *part);
    int rc = -1;
    q.loop_kind = malloc(((size_t)x->g->nests.n + 1) * sizeof *q.loop_kind);
    q.open = malloc(((size_t)n + 1) * sizeof *q.open);
    q.group = malloc(((size_t)n + 1) * sizeof *q.group);
    if (!part || !q.loop_kind || !q.open || !q.group)
        goto end;
    memset(q.loop_kind, -1, (size_t)x->g->nests.n * sizeof *q.loop_kind);
    if (number_loops(&q) || !(q.stamp = calloc((size_t)q.kinds + 1, sizeof *q.stamp)))
        goto end;
    rc = 0;
    for (int i = 0; i < n && !rc; i++)
        rc = index_side(&q, &side[i]);
    rc = rc ? rc : run(&q, part);
end:
    for (int i = 0; i < n; i++) {
        free(side[i].next);
        free(side[i].first);
    }
    free(part);
    free(q.loop_kind);
    free(q.open);
    free(q.group);
    free(q.stamp);
    return rc;
}

static int merge_sources(struct merge *x, const struct source *src, int n, struct cs_items *out)
{
    struct cs_items *flat = calloc((size_t)n + 1, sizeof *flat);
    struct side *side = calloc((size_t)n + 1, sizeof *side);
    int64_t keep = x->keep_loops ? 0 : choose_keep(x, src, n);
    int rc = flat && side ? 0 : -1;
    for (int i = 0; i < n && !rc; i++) {
        rc = cs_flatten(&x->g->nests, src[i].item, src[i].n, keep, &flat[i]) || flat[i].n >= INT32_MAX ? -1 : 0;
        side[i] = (struct side){.cls = src[i].cls, .item = flat[i].item, .n = (int32_t)flat[i].n};
    }
    rc = rc ? rc : merge_strings(x, side, n, out);
    for (int i = 0; flat && i < n; i++)
        free(flat[i].item);
    free(flat);
    free(side);
    return rc;
}

/* ---- the result ---- */

static int make_symbols(struct merge *x)
{
    struct cs_merged *m = x->g->m;
    m->symbol = calloc((size_t)x->symbols.n + 1, sizeof *m->symbol);
    if (!m->symbol)
        return -1;
    for (; m->nsymbols < (int)x->symbols.n; m->nsymbols++) {
        struct cs_merged_symbol *l = &m->symbol[m->nsymbols];
        const uint32_t *v = x->symbols.arena + x->symbols.entry[m->nsymbols].first;
        int n = (int)x->symbols.entry[m->nsymbols].n / 2;
        assert(n > 0 && x->symbols.entry[m->nsymbols].n % 2 == 0);
        if (!(l->part = calloc((size_t)n, sizeof *l->part)))
            return -1;
        for (; l->nparts < n; l->nparts++) {
            struct cs_variant of = x->g->stream[v[2 * l->nparts]].variant[v[2 * l->nparts + 1]];
            l->part[l->nparts] = (struct cs_merged_part){(int)v[2 * l->nparts], of.record, of.shift};
            l->call = m->record[of.record].call;
        }
    }
    return 0;
}

static int add_nodes(struct merge *x, const uint32_t *item, size_t n, size_t *cap)
{
    struct cs_merged *m = x->g->m;
    for (size_t i = 0; i < n; i++) {
        if (m->nnodes >= INT32_MAX || !CS_MAKE_ROOM_FOR(m->node, (size_t)m->nnodes + 1, *cap))
            return -1;
        int64_t at = m->nnodes++;
        m->node[at] = (struct cs_nest_node){.value = (int32_t)cs_item_number(item[i])};
        if (!cs_item_is_loop(item[i]))
            continue;
        uint32_t loop = cs_item_number(item[i]), len = x->loops.entry[loop].n;
        const uint32_t *v = x->loops.arena + x->loops.entry[loop].first;
        if (add_nodes(x, v + 2, len - 2, cap))
            return -1;
        m->node[at].count = (int64_t)(v[0] | (uint64_t)v[1] << 32);
        m->node[at].value = (int32_t)(m->nnodes - at - 1);
    }
    return 0;
}

static int merge_all(struct merge *x, struct cs_items *out)
{
    struct source *src = calloc((size_t)x->nclasses + 1, sizeof *src);
    size_t cap = 0;
    int rc = -1;
    for (int c = 0; src && c < x->nclasses; c++)
        src[c] = (struct source){c, x->g->stream[c].item, x->g->stream[c].n};
    if (src && !merge_sources(x, src, x->nclasses, out) && !make_symbols(x) && !add_nodes(x, out->item, out->n, &cap))
        rc = 0;
    free(src);
    return rc;
}

int cs_merge_streams(struct cs_merging *g, bool keep_loops)
{
    struct merge x = {.g = g, .nclasses = g->m->nclasses, .keep_loops = keep_loops};
    struct cs_items out = {0};
    struct kind *k, *next;
    cs_merged_forget_nest(g->m);
    int rc =
        find_kinds(&x) || merge_all(&x, &out) ? cs_error_text(g->errbuf, g->errlen, "not enough memory to merge") : 0;
    for (int c = 0; x.kind_of && c < x.nclasses; c++)
        free(x.kind_of[c]);
    HASH_ITER (hh, x.kinds, k, next) {
        HASH_DEL(x.kinds, k);
        free(k);
    }
    free(out.item);
    free(x.kind_of);
    cs_interned_free(&x.symbols);
    cs_interned_free(&x.loops);
    return rc;
}
