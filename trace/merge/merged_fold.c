/* SPDX-License-Identifier: BSD-3-Clause
 * Folds the merged sequence into a nest of loops with the fewest symbols (fold.h). Loops that merging kept are folded
 * inside first. They are symbols then; loops with equal bodies and counts are one symbol. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "trace/fold/fold.h"
#include "trace/merge/merge_internal.h"
#include "trace/nest/merged_times.h"
#include "trace/nest/nest_sound.h"
#include "base/error_text.h"

/* A growing stretch of a nest. */
struct nodes {
    struct cs_nest_node *node;
    size_t n, cap;
};

/* Folded loops, each content once. */
struct folded {
    uint64_t hash;
    struct nodes body;
    int64_t count;
};

/* A sequence while it is folded; `loop` are those that it has already, which count as symbols. */
struct folding {
    const struct cs_merged *m;
    enum cs_fold_method method;
    struct folded *loop;
    size_t nloops, cap;
};

static int add(struct nodes *to, struct cs_nest_node n)
{
    if (!CS_MAKE_ROOM_FOR(to->node, to->n + 1, to->cap))
        return -1;
    to->node[to->n++] = n;
    return 0;
}

static int add_all(struct nodes *to, const struct nodes *from)
{
    if (!CS_MAKE_ROOM_FOR(to->node, to->n + from->n, to->cap))
        return -1;
    if (from->n)
        memcpy(to->node + to->n, from->node, from->n * sizeof *to->node);
    to->n += from->n;
    return 0;
}

/* Appends a loop. If the body is a single loop, the two become one, its count the product. 0, or nonzero: no memory. */
static int add_loop(struct nodes *to, const struct nodes *body, int64_t count)
{
    const struct cs_nest_node *first = body->node;
    bool single = first->count && (size_t)first->value + 1 == body->n && first->count <= INT64_MAX / count;
    struct nodes inner = {body->node + single, body->n - single, 0};
    return add(to, (struct cs_nest_node){.count = single ? count * first->count : count, .value = (int32_t)inner.n}) ||
           add_all(to, &inner);
}

/* Hashes the nodes' members one by one, because nodes have padding. None of the nodes has a cycle yet. */
static uint64_t hash_nodes(const struct nodes *l, int64_t count)
{
    uint64_t hash = (uint64_t)count;
    for (size_t i = 0; i < l->n; i++) {
        int64_t v[2] = {l->node[i].count, l->node[i].value};
        hash = XXH3_64bits_withSeed(v, sizeof v, hash);
    }
    return hash;
}

static bool same_nodes(const struct nodes *a, const struct nodes *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = a->node[i].count == b->node[i].count && a->node[i].value == b->node[i].value;
    return same;
}

/* The loop's number in f->loop, where it is added if it is new. Takes the body over. -1: no memory. */
static int64_t number_of(struct folding *f, struct nodes *body, int64_t count)
{
    uint64_t hash = hash_nodes(body, count);
    for (size_t i = 0; i < f->nloops; i++) {
        const struct folded *l = &f->loop[i];
        if (l->hash == hash && l->count == count && same_nodes(&l->body, body)) {
            free(body->node);
            return (int64_t)i;
        }
    }
    if (!CS_MAKE_ROOM_FOR(f->loop, f->nloops + 1, f->cap)) {
        free(body->node);
        return -1;
    }
    f->loop[f->nloops] = (struct folded){hash, *body, count};
    return (int64_t)f->nloops++;
}

static int fold_range(struct folding *f, int64_t from, int64_t to, struct nodes *out);

/* Nodes [from, to) as a string of *n integers, to be freed: a symbol is its number, a loop m->nsymbols + its number.
 * NULL: no memory. */
static int32_t *make_string(struct folding *f, int64_t from, int64_t to, int64_t *n)
{
    int32_t *s = malloc(((size_t)(to - from) + 1) * sizeof *s);
    *n = 0;
    for (int64_t i = from; s && i < to; i++) {
        const struct cs_nest_node *d = &f->m->node[i];
        int64_t symbol = d->value;
        if (d->count) {
            struct nodes body = {0};
            int64_t number = fold_range(f, i + 1, i + 1 + d->value, &body) ? -1 : number_of(f, &body, d->count);
            symbol = number < 0 ? -1 : f->m->nsymbols + number;
            i += d->value;
        }
        if (symbol < 0 || symbol > INT32_MAX) {
            free(s);
            return NULL;
        }
        s[(*n)++] = (int32_t)symbol;
    }
    return s;
}

/* Appends the nodes [p, end) of a fold of such a string as nodes of the nest. 0, or -1: no memory. */
static int convert(struct folding *f, const struct cs_fold_node *p, const struct cs_fold_node *end, struct nodes *out)
{
    for (; p < end; p += p->count ? 1 + p->value : 1) {
        int rc = 0;
        if (p->count) {
            struct nodes body = {0};
            rc = convert(f, p + 1, p + 1 + p->value, &body) || add_loop(out, &body, p->count);
            free(body.node);
        } else if (p->value < f->m->nsymbols) {
            rc = add(out, (struct cs_nest_node){.value = p->value});
        } else {
            const struct folded *l = &f->loop[p->value - f->m->nsymbols];
            rc = add_loop(out, &l->body, l->count);
        }
        if (rc)
            return -1;
    }
    return 0;
}

static int fold_range(struct folding *f, int64_t from, int64_t to, struct nodes *out)
{
    struct cs_fold fold = {0};
    int64_t n;
    int32_t *s = make_string(f, from, to, &n);
    int rc =
        s && cs_fold_string(s, n, f->method, &fold) == 0 ? convert(f, fold.node, fold.node + fold.nnodes, out) : -1;
    free(s);
    cs_fold_free(&fold);
    return rc;
}

/* ---- the better of two merges ---- */

static int fold_nest(const struct cs_merged *m, enum cs_fold_method method, struct nodes *out)
{
    struct folding f = {.m = m, .method = method};
    int rc = fold_range(&f, 0, m->nnodes, out);
    for (size_t i = 0; i < f.nloops; i++)
        free(f.loop[i].body.node);
    free(f.loop);
    return rc;
}

static void set_nest(struct cs_merged *m, struct nodes *n)
{
    free(m->node);
    m->node = n->node;
    m->nnodes = (int64_t)n->n;
    *n = (struct nodes){0};
}

/* Exchanges symbols and nest of two forms. */
static void swap_nests(struct cs_merged *a, struct cs_merged *b)
{
    struct cs_merged t = *a;
    a->nsymbols = b->nsymbols;
    a->symbol = b->symbol;
    a->nnodes = b->nnodes;
    a->node = b->node;
    b->nsymbols = t.nsymbols;
    b->symbol = t.symbol;
    b->nnodes = t.nnodes;
    b->node = t.node;
}

/* Merges by loops (cs_merge_by_loops) and folds the result, which replaces m's symbols and *best if it is shorter than
 * *best. 0, or -1 and a reason. */
static int try_by_loops(struct cs_merged *m, enum cs_fold_method method, struct nodes *best, char *errbuf,
                        size_t errlen)
{
    struct cs_merged aside = {0};
    struct nodes other = {0};
    swap_nests(m, &aside);
    int rc = cs_merge_by_loops(m, &aside, method, errbuf, errlen);
    if (rc == 0 && fold_nest(m, method, &other))
        rc = cs_error_text(errbuf, errlen, "not enough memory to fold");
    if (rc == 1) { /* too long to unroll */
        swap_nests(m, &aside);
        return 0;
    }
    if (rc == 0 && cs_nest_symbols(other.node, (int64_t)other.n) < cs_nest_symbols(best->node, (int64_t)best->n)) {
        struct nodes t = *best;
        *best = other;
        other = t;
        swap_nests(m, &aside);
    }
    swap_nests(m, &aside);
    free(other.node);
    cs_merged_forget_nest(&aside);
    return rc;
}

/* ---- folding again ---- */

#define UNFOLD_MAX 100000000 /* nodes */

static bool has_cycle(const struct cs_merged *m, int64_t from, int64_t to)
{
    bool any = false;
    for (int64_t i = from; i < to && !any; i++)
        any = m->node[i].ncycle > 0;
    return any;
}

/* Appends nodes [from, to) without cycles: loops around a node with a cycle are unrolled. turn[i]: occurrences of node
 * i so far. 0, or -1: no memory, or too long. */
static int unfold(const struct cs_merged *m, int64_t from, int64_t to, int64_t *turn, struct nodes *out)
{
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        int rc = out->n > UNFOLD_MAX ? -1 : 0;
        if (n->count == 0) {
            int32_t symbol = n->ncycle ? m->cycle[n->cycle + turn[i]++ % n->ncycle] : n->value;
            rc = rc || add(out, (struct cs_nest_node){.value = symbol});
        } else if (n->ncycle || has_cycle(m, i + 1, i + 1 + n->value)) {
            int64_t count = n->ncycle ? m->cycle[n->cycle + turn[i]++ % n->ncycle] : n->count;
            for (int64_t k = 0; k < count && !rc; k++)
                rc = unfold(m, i + 1, i + 1 + n->value, turn, out);
        } else {
            struct nodes loop = {m->node + i, (size_t)n->value + 1, 0};
            rc = rc || add_all(out, &loop);
        }
        if (rc)
            return -1;
        i += n->count ? n->value : 0;
    }
    return 0;
}

static int forget_cycles(struct cs_merged *m)
{
    struct nodes plain = {0};
    int64_t *turn = m->ncycles ? calloc((size_t)m->nnodes + 1, sizeof *turn) : NULL;
    int rc = !m->ncycles ? 0 : turn ? unfold(m, 0, m->nnodes, turn, &plain) : -1;
    if (rc == 0 && m->ncycles) {
        set_nest(m, &plain);
        free(m->cycle);
        m->cycle = NULL;
        m->ncycles = 0;
    }
    free(turn);
    free(plain.node);
    return rc;
}

int cs_merged_fold(struct cs_merged *m, enum cs_merged_fold how, char *errbuf, size_t errlen)
{
    enum cs_fold_method method = how == CS_MERGED_FOLD_PAPER ? CS_FOLD_PAPER : CS_FOLD_BEST;
    bool timed = m->gap_at && cs_merged_fold_keeps_times(how);
    struct cs_merged *times = timed ? cs_merged_times_out(m) : NULL;
    struct nodes best = {0};
    int rc = (timed && !times) || forget_cycles(m) || fold_nest(m, method, &best)
                 ? cs_error_text(errbuf, errlen, "not enough memory to fold")
                 : 0;
    cs_merged_forget_times(m);
    if (!rc && method == CS_FOLD_BEST && m->nclasses > 1)
        rc = try_by_loops(m, method, &best, errbuf, errlen);
    if (!rc) {
        set_nest(m, &best);
        int done = how == CS_MERGED_FOLD_CALLS     ? cs_merged_cycles(m, CS_CYCLES_OF_CALLS)
                   : how == CS_MERGED_FOLD_RECORDS ? cs_merged_cycles(m, CS_CYCLES_OF_RECORDS)
                                                   : 0;
        if (done == 0 && method == CS_FOLD_BEST && how != CS_MERGED_FOLD_RECORDS)
            done = cs_merged_cycles(m, CS_CYCLES_OF_SITES);
        if (done < 0)
            rc = cs_error_text(errbuf, errlen, "not enough memory to fold");
        m->folded = true;
    }
    if (!rc && times)
        rc = cs_merged_times_in(m, times, errbuf, errlen);
    cs_merged_free(times);
    free(best.node);
    assert(rc || cs_merged_is_sound(m));
    return rc;
}
