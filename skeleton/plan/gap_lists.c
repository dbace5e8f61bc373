/* SPDX-License-Identifier: BSD-3-Clause
 * Gives a list of recorded gaps, in place of their mean, to symbols whose gaps vary between ranks or occurrences. A
 * list has the gaps of the same occurrences on all ranks, so that ranks wait for each other as they did, scaled so that
 * each rank's sum stays. What all ranks of a class spend on entering a divided loop is not in the list but before the
 * loop. */
#include "skeleton/plan/gap_lists.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "skeleton/plan/divide.h"
#include "skeleton/plan/gap_split.h"

#define LIST_MAX 20000   /* gaps in a node's list, of all ranks together */
#define LISTS_MAX 200000 /* gaps in all lists */
#define MATTERS 5e-4     /* a node gets a list if its sum of |gap - mean| is more than this part of all computation */

/* A node while its list is made. Example: node in a loop of 1000 iterations that is divided to 4, once in each: each =
 * 1, n = 4, want = {0, 262, 611, 930}, total = 1000. */
struct vary {
    int64_t node;
    double off;   /* sum of |gap - mean|, ns */
    int64_t each; /* occurrences in one iteration of the divided loop around it; 0: there is none, or it is entered more
                     than once */
    int64_t n, *want;   /* the occurrences whose gaps are listed: their numbers in the original, ascending */
    double *sum, *rest; /* of each rank, ns: all its gaps; those after the divided loop's first iteration */
    int64_t total;      /* occurrences in the original */
};

/* The state of the two passes over all gaps of the trace: measure(), then collect(). */
struct pass {
    struct cs_gen *g;
    struct vary *v;
    int64_t nv;
    struct vary **of;     /* of each node: its entry of v, NULL: it gets no list */
    int64_t *seen, *next; /* of each node, for `rank`: its occurrences so far; the number of the list's next gap */
    int rank;             /* whose gaps collect() is given; -1: none so far */
    double all;           /* sum of all gaps, ns */
};

/* First pass: sums up how far a node's gaps are from the mean that the program would have without a list. */
static void measure(void *arg, int rank, int64_t node, bool first, double ns)
{
    struct pass *p = arg;
    const struct cs_merged_symbol *l = &p->g->m->symbol[p->g->m->node[node].value];
    struct cs_gen_split s = cs_gen_split(p->g, node, (int)(cs_merged_part_of(l, p->g->m->class_of[rank]) - l->part));
    p->v[node].off += fabs(ns - (first ? s.inside + s.outside : s.inside) * 1e9);
    p->all += ns;
}

/* Second pass: puts the gaps of the chosen occurrences into the lists, and sums up all. */
static void collect(void *arg, int rank, int64_t node, bool first, double ns)
{
    struct pass *p = arg;
    struct vary *v = p->of[node];
    (void)first;
    if (!v)
        return;
    if (rank != p->rank) {
        memset(p->seen, 0, (size_t)p->g->m->nnodes * sizeof *p->seen);
        memset(p->next, 0, (size_t)p->g->m->nnodes * sizeof *p->next);
        p->rank = rank;
    }
    assert(rank >= 0 && rank < p->g->m->info.nranks);
    int64_t at = p->seen[node]++, *next = &p->next[node];
    v->sum[rank] += ns;
    if (at >= v->each)
        v->rest[rank] += ns;
    if (*next < v->n && v->want[*next] == at)
        p->g->gaps[node].seconds[rank * v->n + (*next)++] = ns * 1e-9;
}

static int by_off(const void *a, const void *b)
{
    const struct vary *x = a, *y = b;
    return x->off > y->off ? -1 : x->off < y->off ? 1 : x->node < y->node ? -1 : 1;
}

/* A pseudo-random number for iteration i of the loop (mixed as by splitmix64); all nodes in it get the same. */
static uint64_t scatter(int64_t loop, int64_t i)
{
    uint64_t x = (uint64_t)loop * 0x9e3779b97f4a7c15u + (uint64_t)i + 1;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Does an argument in the loop depend on the iteration (by a cycle)? */
static bool follows_occurrences(const struct cs_gen *g, int64_t loop)
{
    for (int64_t i = loop + 1; i <= loop + g->m->node[loop].value; i++)
        if (g->m->node[i].ncycle)
            return true;
    return false;
}

/* Chooses the occurrences of a node in a divided loop. The original's iterations are cut into `iterations` stretches:
 * the first one gives its first iteration, each other one an iteration at random. If arguments depend on the iteration,
 * each gives its first, from which the arguments are taken as well (count_occurrences in emit_nest.c). */
static void places_in_divided(const struct cs_gen *g, struct vary *v, int64_t loop, int64_t iterations)
{
    int64_t times = g->m->node[loop].count, at = 0;
    bool follow = follows_occurrences(g, loop);
    assert(iterations >= 2 && iterations <= times && v->each >= 1 && v->n == iterations * v->each);
    for (int64_t i = 0; i < iterations; i++) {
        int64_t from = i * times / iterations, to = (i + 1) * times / iterations;
        int64_t k = i == 0 || follow ? from : from + (int64_t)(scatter(loop, i) % (uint64_t)(to - from));
        assert(k >= from && k < to);
        for (int64_t q = 0; q < v->each; q++)
            v->want[at++] = k * v->each + q;
    }
}

/* Chooses the occurrences whose gaps are listed: v->want. 0, or -1. */
static int choose(struct cs_gen *g, struct vary *v)
{
    int64_t loop = -1, now = 1, inner = 1, most = LIST_MAX / g->m->info.nranks;
    v->total = 1;
    for (int64_t i = g->parent[v->node]; i >= 0; i = g->parent[i]) {
        if (cs_gen_is_divided(g, i)) {
            loop = i;
            inner = v->total;
        }
        v->total *= g->m->node[i].count;
        now *= g->count[i];
    }
    bool once = loop >= 0 && v->total == inner * g->m->node[loop].count;
    int64_t iterations = once ? g->count[loop] : 0;
    if (once && now > most)
        iterations = most / inner;
    v->each = iterations >= 2 ? inner : 0;
    v->n = iterations >= 2 ? iterations * inner : now < most ? now : most;
    v->want = malloc(((size_t)v->n + 1) * sizeof *v->want);
    v->sum = calloc((size_t)g->m->info.nranks, sizeof *v->sum);
    v->rest = calloc((size_t)g->m->info.nranks, sizeof *v->rest);
    struct cs_gen_gaps *to = &g->gaps[v->node];
    *to = (struct cs_gen_gaps){
        .n = v->n, .back = v->each, .seconds = calloc((size_t)(v->n * g->m->info.nranks) + 1, sizeof *to->seconds)};
    if (!v->want || !v->sum || !v->rest || !to->seconds)
        return cs_gen_refuse(g, "not enough memory");
    if (v->each)
        places_in_divided(g, v, loop, iterations);
    for (int64_t i = 0; i < v->n && !v->each; i++)
        v->want[i] = i * v->total / v->n;
    return 0;
}

/* Moves what all ranks of a class spend on entering the divided loop from the list's first gap to g->gaps[].entry.
 * 0, or -1. */
static int split_entry(struct cs_gen *g, const struct vary *v)
{
    struct cs_gen_gaps *to = &g->gaps[v->node];
    const struct cs_merged_symbol *l = &g->m->symbol[g->m->node[v->node].value];
    if (!v->each || !cs_gen_is_divided(g, g->parent[v->node]))
        return 0;
    to->entry = calloc((size_t)g->m->nclasses + 1, sizeof *to->entry);
    if (!to->entry)
        return cs_gen_refuse(g, "not enough memory");
    for (int p = 0; p < l->nparts; p++) {
        struct cs_gen_split s = cs_gen_split(g, v->node, p);
        double least = s.outside > 0 ? s.outside : 0;
        for (int r = 0; r < g->m->info.nranks; r++)
            if (g->m->class_of[r] == l->part[p].cls)
                least = fmin(least, fmax(to->seconds[r * v->n] - s.inside, 0));
        for (int r = 0; r < g->m->info.nranks; r++)
            if (g->m->class_of[r] == l->part[p].cls)
                to->seconds[r * v->n] -= least;
        to->entry[l->part[p].cls] = least;
    }
    return 0;
}

/* Multiplies the gaps [from, to) of a rank so that their mean becomes `mean`. */
static void scale(double *seconds, int64_t from, int64_t to, double mean)
{
    double sum = 0;
    for (int64_t i = from; i < to; i++)
        sum += seconds[i];
    for (int64_t i = from; i < to; i++)
        seconds[i] = sum > 0 ? seconds[i] * (mean * (double)(to - from) / sum) : mean;
}

/* Scales the list so that each rank computes as long with it as it did. The first iteration of a divided loop stays. */
static void keep_sums(struct cs_gen *g, const struct vary *v)
{
    for (int r = 0; r < g->m->info.nranks; r++) {
        double *s = g->gaps[v->node].seconds + r * v->n;
        if (v->each)
            scale(s, v->each, v->n, v->rest[r] * 1e-9 / (double)(v->total - v->each));
        else
            scale(s, 0, v->n, v->sum[r] * 1e-9 / (double)v->total);
    }
}

/* Gives lists to the nodes whose gaps vary enough to matter, most first, while there is room. 0, or -1. */
static int select_nodes(struct pass *p)
{
    struct cs_gen *g = p->g;
    int64_t n = 0, numbers = 0;
    for (int64_t i = 0; i < g->m->nnodes; i++)
        if (!g->m->node[i].count && p->v[i].off > MATTERS * p->all)
            p->v[n++] = p->v[i];
    qsort(p->v, (size_t)n, sizeof *p->v, by_off);
    for (p->nv = 0; p->nv < n && numbers < LISTS_MAX && LIST_MAX / g->m->info.nranks > 0; p->nv++) {
        struct vary *v = &p->v[p->nv];
        if (choose(g, v))
            return -1;
        numbers += v->n * g->m->info.nranks;
        p->of[v->node] = v;
    }
    return 0;
}

static int list(struct pass *p)
{
    struct cs_gen *g = p->g;
    const struct cs_trace *t = g->o->trace;
    if (cs_merged_each_gap(g->m, t, measure, p, g->errbuf, g->errlen) || select_nodes(p) ||
        cs_merged_each_gap(g->m, t, collect, p, g->errbuf, g->errlen))
        return -1;
    for (int64_t i = 0; i < p->nv; i++) {
        keep_sums(g, &p->v[i]);
        if (split_entry(g, &p->v[i]))
            return -1;
    }
    return 0;
}

int cs_gen_list_gaps(struct cs_gen *g)
{
    size_t n = (size_t)g->m->nnodes + 1;
    if (!g->computes || !g->o->trace || g->o->times)
        return 0;
    g->gaps = calloc(n, sizeof *g->gaps);
    struct pass p = {.g = g,
                     .v = calloc(n, sizeof *p.v),
                     .of = calloc(n, sizeof *p.of),
                     .seen = calloc(n, sizeof *p.seen),
                     .next = calloc(n, sizeof *p.next),
                     .rank = -1};
    int rc = -1;
    if (!g->gaps || !p.v || !p.of || !p.seen || !p.next)
        cs_gen_refuse(g, "not enough memory");
    else {
        for (size_t i = 0; i < n; i++)
            p.v[i].node = (int64_t)i;
        rc = list(&p);
    }
    for (int64_t i = 0; p.v && i < (int64_t)n; i++) {
        free(p.v[i].want);
        free(p.v[i].sum);
        free(p.v[i].rest);
    }
    free(p.v);
    free(p.of);
    free(p.seen);
    free(p.next);
    return rc;
}

void cs_gen_free_gaps(struct cs_gen *g)
{
    for (int64_t i = 0; i < g->m->nnodes && g->gaps; i++) {
        free(g->gaps[i].seconds);
        free(g->gaps[i].entry);
    }
    free(g->gaps);
}
