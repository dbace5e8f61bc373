/* SPDX-License-Identifier: BSD-3-Clause
 * The published method, for comparison (J. Software 21 suppl., 2010, algorithms 3 and 4): maximal repeats by LCP
 * queries at the multiples of each period, then the longest repeat first, leftmost on ties, whatever overlaps is
 * skipped; again on the shorter string until nothing folds. The source says nothing about the inside of a folded body;
 * it is folded by the same method. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/fold/fold_internal.h"
#include "trace/fold/runs.h"
#include "trace/fold/suffix_array.h"

#define BLOCK 16 /* the sparse table holds the least of each block, for memory's sake */

/* Answers how far the string's suffixes at two places agree: suffix array, ranks, common prefixes of neighbours, and
 * a sparse table of their minima by block (table[k]: of 2^k blocks). */
struct lce {
    int32_t n, *sa, *rank, *lcp, *table[32];
};

static void free_lce(struct lce *l)
{
    free(l->sa);
    free(l->rank);
    free(l->lcp);
    for (int i = 0; i < 32; i++)
        free(l->table[i]);
}

static int make_table(struct lce *l)
{
    int32_t blocks = l->n / BLOCK + 1;
    for (int level = 0; 1 << level <= blocks; level++) {
        int32_t *t = l->table[level] = malloc((size_t)blocks * sizeof *t), half = level ? 1 << (level - 1) : 0;
        if (!t)
            return -1;
        for (int32_t b = 0; b + (1 << level) <= blocks; b++)
            if (level) {
                const int32_t *u = l->table[level - 1];
                t[b] = u[b] < u[b + half] ? u[b] : u[b + half];
            } else {
                t[b] = INT32_MAX;
                for (int32_t i = b * BLOCK; i < l->n && i < (b + 1) * BLOCK; i++)
                    t[b] = l->lcp[i] < t[b] ? l->lcp[i] : t[b];
            }
    }
    return 0;
}

static int make_lce(struct lce *l, const int32_t *s, int32_t n, int32_t k)
{
    size_t bytes = (size_t)n * sizeof(int32_t);
    *l = (struct lce){.n = n, .sa = malloc(bytes), .rank = malloc(bytes), .lcp = malloc(bytes)};
    if (!l->sa || !l->rank || !l->lcp || cs_suffix_array(s, n, k, l->sa))
        return -1;
    cs_suffix_rank(l->sa, n, l->rank);
    cs_suffix_lcp(s, n, l->sa, l->rank, l->lcp);
    return make_table(l);
}

static int32_t least(const struct lce *l, int32_t from, int32_t to)
{
    int32_t m = INT32_MAX, b = from / BLOCK + 1, e = to / BLOCK;
    for (int32_t i = from; i <= to && i < b * BLOCK; i++)
        m = l->lcp[i] < m ? l->lcp[i] : m;
    for (int32_t i = e * BLOCK > from ? e * BLOCK : from; i <= to; i++)
        m = l->lcp[i] < m ? l->lcp[i] : m;
    if (b < e) {
        int level = 31 - __builtin_clz((unsigned)(e - b));
        const int32_t *t = l->table[level];
        int32_t v = t[b] < t[e - (1 << level)] ? t[b] : t[e - (1 << level)];
        m = v < m ? v : m;
    }
    return m;
}

/* How far the string agrees with itself from i and from j on. */
static int32_t extend(const struct lce *l, int32_t i, int32_t j)
{
    if (i >= l->n || j >= l->n)
        return 0;
    int32_t a = l->rank[i], b = l->rank[j];
    return a < b ? least(l, a + 1, b) : least(l, b + 1, a);
}

/* Repeats as they are found. */
struct repeats {
    struct cs_run_of *r;
    int64_t n, cap;
};

static int add(struct repeats *out, int32_t start, int32_t end, int32_t period)
{
    if (!CS_MAKE_ROOM(out->r, out->n, out->cap))
        return -1;
    out->r[out->n++] = (struct cs_run_of){start, end, period};
    return 0;
}

static int repeats_of(const int32_t *s, const struct lce *forward, const struct lce *back, int32_t p,
                      struct repeats *out)
{
    int32_t n = forward->n;
    for (int32_t i = 0; i + p < n;) {
        int32_t next = i + p;
        if (s[i] == s[i + p]) {
            int32_t right = extend(forward, i, i + p), left = extend(back, n - i, n - i - p);
            if (left + right >= p && add(out, i - left, i + p + right, p))
                return -1;
            if (left + right >= p)
                next = (i + right) / p * p + p; /* the rest of it need not be looked at */
        }
        i = next;
    }
    return 0;
}

static int compare(const void *a, const void *b)
{
    const struct cs_run_of *x = a, *y = b;
    int32_t lx = x->end - x->start, ly = y->end - y->start;
    if (lx != ly)
        return lx < ly ? 1 : -1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->period > y->period) - (x->period < y->period);
}

static int find_repeats(const int32_t *s, int32_t n, int32_t k, struct repeats *out)
{
    int rc = -1;
    struct lce forward = {0}, back = {0};
    int32_t *mirror = malloc(((size_t)n + 1) * sizeof *mirror);
    if (!mirror)
        return -1;
    for (int32_t i = 0; i < n; i++)
        mirror[i] = s[n - 1 - i];
    if (!make_lce(&forward, s, n, k) && !make_lce(&back, mirror, n, k)) {
        rc = 0;
        for (int32_t p = 1; !rc && p <= n / 2; p++)
            rc = repeats_of(s, &forward, &back, p, out);
    }
    free_lce(&forward);
    free_lce(&back);
    free(mirror);
    if (!rc && out->n)
        qsort(out->r, (size_t)out->n, sizeof *out->r, compare);
    return rc;
}

/* A symbol above the alphabet stands for a loop, made by an earlier round. */
struct loop {
    int32_t *body, length, count;
};

/* The loops that have become symbols: loop i is the symbol k + i. */
struct paper {
    struct loop *loop;
    int32_t nloops, cap, k;
};

static int32_t find_loop(const struct paper *p, const int32_t *body, int32_t length, int32_t count)
{
    for (int32_t i = p->nloops - 1; i >= 0 && i >= p->nloops - 256; i--)
        if (p->loop[i].length == length && p->loop[i].count == count &&
            memcmp(p->loop[i].body, body, (size_t)length * sizeof *body) == 0)
            return p->k + i;
    return -1;
}

/* The symbol for count times body, or -1. Loops of the same contents share one, so that later rounds can fold them. */
static int32_t loop_symbol(struct paper *p, const int32_t *body, int32_t length, int32_t count)
{
    int32_t known = find_loop(p, body, length, count);
    if (known >= 0)
        return known;
    if (!CS_MAKE_ROOM(p->loop, p->nloops, p->cap))
        return -1;
    int32_t *copy = malloc((size_t)length * sizeof *copy);
    if (!copy)
        return -1;
    memcpy(copy, body, (size_t)length * sizeof *copy);
    p->loop[p->nloops] = (struct loop){copy, length, count};
    return p->k + p->nloops++;
}

/* Marks repeats, longest first; at[i]: 1 + number of the repeat that starts at i. */
static bool mark(const struct repeats *r, int32_t *at, bool *taken)
{
    bool any = false;
    for (int64_t i = 0; i < r->n; i++) {
        int32_t start = r->r[i].start, p = r->r[i].period, end = start + (r->r[i].end - start) / p * p;
        /* What is taken is a union of longer stretches: one that overlaps covers an end. */
        if (taken[start] || taken[end - 1])
            continue;
        memset(taken + start, true, (size_t)(end - start));
        at[start] = (int32_t)i + 1;
        any = true;
    }
    return any;
}

/* One round in place; 1 if something folded, 0 if not, -1 if memory is short. */
static int fold_round(struct paper *p, int32_t *s, int32_t *n)
{
    struct repeats r = {0};
    int32_t *at = calloc((size_t)*n + 1, sizeof *at), out = 0;
    bool *taken = calloc((size_t)*n + 1, 1);
    int rc = -1;
    if (!at || !taken || find_repeats(s, *n, p->k + p->nloops, &r))
        goto end;
    rc = mark(&r, at, taken);
    for (int32_t i = 0; i < *n;) {
        if (!at[i]) {
            s[out++] = s[i++];
            continue;
        }
        const struct cs_run_of *m = &r.r[at[i] - 1];
        int32_t count = (m->end - m->start) / m->period, symbol = loop_symbol(p, s + i, m->period, count);
        if (symbol < 0) {
            rc = -1;
            goto end;
        }
        i += count * m->period;
        s[out++] = symbol;
    }
    *n = out;
end:
    free(r.r);
    free(at);
    free(taken);
    return rc;
}

static int fold_all(struct paper *p, int32_t *s, int32_t *n)
{
    int rc = 1;
    while (rc == 1 && *n > 1)
        rc = fold_round(p, s, n);
    return rc < 0 ? -1 : 0;
}

static int emit(const struct paper *p, const int32_t *s, int32_t n, struct cs_fold_builder *b)
{
    for (int32_t i = 0; i < n; i++) {
        if (s[i] < p->k) {
            if (cs_fold_add_symbol(b, s[i]))
                return -1;
            continue;
        }
        const struct loop *l = &p->loop[s[i] - p->k];
        int64_t node = cs_fold_open_loop(b, l->count);
        if (node < 0 || emit(p, l->body, l->length, b))
            return -1;
        cs_fold_close_loop(b, node);
    }
    return 0;
}

int cs_fold_paper(const int32_t *s, int32_t n, int32_t k, struct cs_fold_builder *b)
{
    struct paper p = {.k = k};
    int32_t *copy = malloc(((size_t)n + 1) * sizeof *copy), m = n;
    int rc = -1;
    if (!copy)
        return -1;
    memcpy(copy, s, (size_t)n * sizeof *copy);
    rc = fold_all(&p, copy, &m);
    for (int32_t i = 0; !rc && i < p.nloops; i++) { /* folding a body may add loops: they follow */
        int32_t *body = p.loop[i].body, length = p.loop[i].length;
        rc = fold_all(&p, body, &length);
        p.loop[i].length = length;
    }
    rc = rc || emit(&p, copy, m, b) ? -1 : 0;
    for (int32_t i = 0; i < p.nloops; i++)
        free(p.loop[i].body);
    free(p.loop);
    free(copy);
    return rc;
}
