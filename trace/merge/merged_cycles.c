/* SPDX-License-Identifier: BSD-3-Clause
 * Makes loops of calls that differ in values alone: stages of a butterfly, levels of a multigrid, counts that grow with
 * the iteration. The sequence is folded by kinds of symbols. Each symbol of that nest then has a list, its symbols at
 * one occurrence after the other; the shortest list that gives them when it is repeated becomes the node's cycle. */
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "trace/fold/fold.h"
#include "trace/merge/merge_internal.h"

#define UNROLL_MAX 20000000

/* ---- kinds: symbols without their values ---- */

/* A kind of symbol by what it is compared by, in a hash table by content; `number` in order of coming. */
struct kind {
    int32_t *v;
    int number;
    UT_hash_handle hh;
};

static void free_kinds(struct kind *all)
{
    struct kind *k, *next;
    HASH_ITER (hh, all, k, next) {
        HASH_DEL(all, k);
        free(k->v);
        free(k);
    }
}

/* The kind of each symbol; NULL: no memory. */
static int32_t *kinds_of(const struct cs_merged *m)
{
    struct kind *all = NULL, *k;
    int *shape = cs_merge_shapes(m);
    int32_t *of = malloc(((size_t)m->nsymbols + 1) * sizeof *of), n = 0;
    bool ok = shape && of;
    for (int i = 0; ok && i < m->nsymbols; i++) {
        const struct cs_merged_symbol *l = &m->symbol[i];
        size_t len = 3 * (size_t)l->nparts;
        int32_t *v = malloc(len * sizeof *v);
        for (int p = 0; v && p < l->nparts; p++) {
            v[3 * p] = l->part[p].cls;
            v[3 * p + 1] = shape[l->part[p].record];
            v[3 * p + 2] = l->part[p].shift;
        }
        k = NULL;
        if (v)
            HASH_FIND(hh, all, v, len * sizeof *v, k);
        if (v && !k && (k = calloc(1, sizeof *k))) {
            *k = (struct kind){.v = v, .number = n++};
            HASH_ADD_KEYPTR(hh, all, k->v, len * sizeof *v, k);
            v = NULL;
        }
        free(v);
        ok = k != NULL;
        of[i] = k ? k->number : 0;
    }
    free_kinds(all);
    free(shape);
    if (!ok) {
        free(of);
        of = NULL;
    }
    return of;
}

bool cs_merged_is_plain(const struct cs_merged *m)
{
    int32_t *of = m->ncycles ? kinds_of(m) : NULL;
    bool plain = !m->ncycles || of;
    for (int64_t i = 0; plain && m->ncycles && i < m->nnodes; i++) {
        plain = !m->node[i].count || !m->node[i].ncycle;
        for (int32_t k = 0; m->node[i].count == 0 && k < m->node[i].ncycle && plain; k++)
            plain = of[m->cycle[m->node[i].cycle + k]] == of[m->node[i].value];
    }
    free(of);
    return plain;
}

static int32_t *calls_of(const struct cs_merged *m)
{
    int32_t *of = malloc(((size_t)m->nsymbols + 1) * sizeof *of);
    for (int i = 0; of && i < m->nsymbols; i++)
        of[i] = m->symbol[i].call;
    return of;
}

/* ---- the sequence ---- */

static int64_t unrolled(const struct cs_merged *m, int64_t from, int64_t to)
{
    int64_t sum = 0;
    for (int64_t i = from; i < to && sum <= UNROLL_MAX; i++) {
        const struct cs_nest_node *n = &m->node[i];
        int64_t one = n->count ? unrolled(m, i + 1, i + 1 + n->value) : 1;
        sum += n->count && one > UNROLL_MAX / n->count ? UNROLL_MAX + 1 : n->count ? n->count * one : one;
        i += n->count ? n->value : 0;
    }
    return sum;
}

static int32_t *write_out(const struct cs_merged *m, int64_t from, int64_t to, int32_t *out)
{
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &m->node[i];
        if (n->count == 0) {
            *out++ = n->value;
            continue;
        }
        int32_t *end = write_out(m, i + 1, i + 1 + n->value, out);
        size_t body = (size_t)(end - out);
        for (int64_t k = 1; k < n->count; k++)
            memcpy(out + (size_t)k * body, out, body * sizeof *out);
        out += (size_t)n->count * body;
        i += n->value;
    }
    return out;
}

/* ---- values of each call, in order ---- */

/* A nest that may replace m's: its symbols are kinds, and its loops may have cycles of counts, in `count`. */
struct plan {
    struct cs_nest_node *node;
    int64_t n;
    int32_t *count;
    int ncounts;
};

/* The symbols at each node of a plan, one occurrence after the other. */
struct lists {
    int64_t *at; /* of each node of the plan: where its list starts in `symbol` */
    int32_t *symbol;
    int64_t *next; /* the end of the list so far */
    int64_t *turn; /* of a loop with a cycle of counts: how often it was entered */
};

/* Appends each symbol of the sequence s to the list of its node among nodes [from, to); with `symbol` NULL, only counts
 * them. Returns the rest of s. */
static const int32_t *hand_out(struct lists *l, const struct plan *p, int64_t from, int64_t to, const int32_t *s,
                               int32_t *symbol)
{
    for (int64_t i = from; i < to; i++) {
        const struct cs_nest_node *n = &p->node[i];
        if (n->count == 0) {
            if (symbol)
                symbol[l->next[i]] = *s;
            l->next[i]++;
            s++;
            continue;
        }
        int64_t count = n->ncycle ? p->count[n->cycle + l->turn[i]++ % n->ncycle] : n->count;
        for (int64_t k = 0; k < count; k++)
            s = hand_out(l, p, i + 1, i + 1 + n->value, s, symbol);
        i += n->value;
    }
    return s;
}

static int make_lists(struct lists *l, const struct plan *p, const int32_t *s, int64_t length)
{
    l->at = malloc(((size_t)p->n + 1) * sizeof *l->at);
    l->next = calloc((size_t)p->n + 1, sizeof *l->next);
    l->turn = calloc((size_t)p->n + 1, sizeof *l->turn);
    l->symbol = malloc(((size_t)length + 1) * sizeof *l->symbol);
    if (!l->at || !l->next || !l->turn || !l->symbol)
        return -1;
    hand_out(l, p, 0, p->n, s, NULL);
    for (int64_t i = 0, sum = 0; i < p->n; i++) {
        int64_t n = l->next[i];
        l->at[i] = l->next[i] = sum;
        l->turn[i] = 0;
        sum += n;
    }
    hand_out(l, p, 0, p->n, s, l->symbol);
    return 0;
}

static void free_lists(struct lists *l)
{
    free(l->at);
    free(l->symbol);
    free(l->next);
    free(l->turn);
}

/* The shortest p with s[i] = s[i + p] throughout, by Knuth, Morris and Pratt's borders; `border` has room for n. */
static int64_t period(const int32_t *s, int64_t n, int32_t *border)
{
    int32_t k = 0;
    border[0] = 0;
    for (int64_t i = 1; i < n; i++) {
        while (k > 0 && s[i] != s[k])
            k = border[k - 1];
        k += s[i] == s[k];
        border[i] = k;
    }
    return n - border[n - 1];
}

/* ---- the new nest ---- */

/* Turns the lists into cycles, in place: *next of a node becomes the cycle's length. Returns the sum of those above 1,
 * or -1. */
static int64_t shorten(struct lists *l, const struct plan *p, int64_t length)
{
    int32_t *border = malloc(((size_t)length + 1) * sizeof *border);
    int64_t sum = border ? 0 : -1;
    for (int64_t i = 0; border && i < p->n; i++) {
        if (p->node[i].count)
            continue;
        l->next[i] = period(l->symbol + l->at[i], l->next[i] - l->at[i], border);
        sum += l->next[i] > 1 ? l->next[i] : 0;
    }
    free(border);
    return sum;
}

/* The plan becomes m's nest, with the symbols that the lists have. */
static int take(struct cs_merged *m, struct plan *p, const struct lists *l, int64_t ncycles)
{
    int32_t *cycle = malloc(((size_t)ncycles + (size_t)p->ncounts + 1) * sizeof *cycle);
    int64_t at = p->ncounts;
    if (!cycle)
        return -1;
    if (p->ncounts)
        memcpy(cycle, p->count, (size_t)p->ncounts * sizeof *cycle);
    for (int64_t i = 0; i < p->n; i++) {
        const int32_t *list = l->symbol + l->at[i];
        if (p->node[i].count)
            continue;
        p->node[i].value = list[0];
        if (l->next[i] == 1)
            continue;
        p->node[i].cycle = (int32_t)at;
        p->node[i].ncycle = (int32_t)l->next[i];
        memcpy(cycle + at, list, (size_t)l->next[i] * sizeof *cycle);
        at += l->next[i];
    }
    free(m->node);
    free(m->cycle);
    m->node = p->node;
    m->nnodes = p->n;
    m->cycle = cycle;
    m->ncycles = at;
    p->node = NULL;
    return 0;
}

/* Takes the plan if its cycles are not too long: twice the symbols of m's nest for CS_CYCLES_OF_SITES, else a quarter
 * of the sequence. 1 if it did, 0 if not, -1: no memory. */
static int choose(struct cs_merged *m, struct plan *p, const int32_t *s, int64_t length, enum cs_cycle_kinds kinds)
{
    struct lists l = {0};
    int64_t cycles = make_lists(&l, p, s, length) ? -1 : shorten(&l, p, length);
    int64_t allowed = kinds == CS_CYCLES_OF_SITES ? 2 * cs_nest_symbols(m->node, m->nnodes) : length / 4;
    int rc = cycles < 0 ? -1 : cycles > allowed ? 0 : take(m, p, &l, cycles) ? -1 : 1;
    free_lists(&l);
    return rc;
}

static int copy_fold(struct plan *p, const struct cs_fold *f)
{
    p->n = f->nnodes;
    p->node = calloc((size_t)f->nnodes + 1, sizeof *p->node);
    for (int64_t i = 0; p->node && i < f->nnodes; i++)
        p->node[i] = (struct cs_nest_node){.count = f->node[i].count, .value = f->node[i].value};
    return p->node ? 0 : -1;
}

/* Takes the fold by kinds if it has fewer symbols than m's nest. By records, the fold with neighbouring stretches
 * joined (cs_merged_join) is tried first. The result is that of choose(). */
static int try_fold(struct cs_merged *m, const struct cs_fold *f, const int32_t *s, enum cs_cycle_kinds kinds)
{
    struct plan p = {0};
    int rc = 0;
    for (int joined = kinds == CS_CYCLES_OF_RECORDS;
         !rc && joined >= 0 && (joined || f->nsymbols < cs_nest_symbols(m->node, m->nnodes)); joined--) {
        rc = copy_fold(&p, f) || (joined && cs_merged_join(&p.node, &p.n, &p.count, &p.ncounts)) ? -1 : 0;
        if (!rc && (!joined || cs_nest_symbols(p.node, p.n) < cs_nest_symbols(m->node, m->nnodes)))
            rc = choose(m, &p, s, f->length, kinds);
        free(p.node);
        free(p.count);
        p = (struct plan){0};
    }
    return rc;
}

int cs_merged_cycles(struct cs_merged *m, enum cs_cycle_kinds kinds)
{
    int64_t n = unrolled(m, 0, m->nnodes);
    int32_t *s, *kind, *of;
    struct cs_fold f = {0};
    int rc = -1;
    if (n > UNROLL_MAX)
        return 0;
    s = malloc(((size_t)n + 1) * sizeof *s);
    kind = malloc(((size_t)n + 1) * sizeof *kind);
    of = kinds == CS_CYCLES_OF_CALLS     ? calls_of(m)
         : kinds == CS_CYCLES_OF_RECORDS ? cs_merged_published(m)
                                         : kinds_of(m);
    if (s && kind && of) {
        write_out(m, 0, m->nnodes, s);
        for (int64_t i = 0; i < n; i++)
            kind[i] = of[s[i]];
        rc = cs_fold_string(kind, n, CS_FOLD_BEST, &f) ? -1 : try_fold(m, &f, s, kinds);
    }
    cs_fold_free(&f);
    free(s);
    free(kind);
    free(of);
    return rc;
}
