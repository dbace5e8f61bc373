/* SPDX-License-Identifier: BSD-3-Clause
 * Maximal repetitions by the runs theorem: each run contains, from its second period on at the latest, the longest
 * Lyndon words of one of the two orders of the alphabet. So each longest Lyndon word is tried, extended both ways.
 * Bannai, I, Inenaga, Nakashima, Takeda, Tsuruta: The "runs" theorem, SIAM J. Comput. 46 (2017). */
#include "trace/fold/runs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/fold/suffix_array.h"

/* A search in the string s[0..n), with arrays by place. */
struct search {
    const int32_t *s, *rank;
    int32_t n;
    int32_t *end;    /* the longest Lyndon word at i is s[i..end[i]); n: none that ends before the string does */
    int32_t *common; /* how far s[i..) and s[end[i]..) agree */
    int32_t *stack;
    struct cs_runs *out;
    int32_t cap;
    /* The comparison that reached farthest: s[first..) and s[second..) agree up to `reach`. */
    int32_t first, second, reach;
};

static int add_run(struct search *q, int32_t start, int32_t end, int32_t period)
{
    if (!CS_MAKE_ROOM(q->out->run, q->out->n, q->cap))
        return -1;
    q->out->run[q->out->n++] = (struct cs_run_of){start, end, period};
    return 0;
}

/* How far s[i..) and s[j..) agree, j = end[i]. Called in order of j, and for one j from right to left; then what has
 * been compared before answers all but the symbols behind `reach`, so that all calls together are linear. (If j < reach
 * and i < second, the suffix at i lies between that at j and an older one which agrees with j up to `reach`, so it
 * agrees, too. After Ellert and Fischer: Linear time runs over general ordered alphabets, ICALP 2021.) */
static int32_t agree(struct search *q, int32_t i, int32_t j)
{
    int32_t known = 0;
    if (j < q->reach) {
        int32_t shift = q->second - q->first;
        if (i >= q->second && q->end[i - shift] == j - shift && q->common[i - shift] < q->reach - j)
            return q->common[i - shift];
        known = q->reach - j;
    }
    while (j + known < q->n && q->s[i + known] == q->s[j + known])
        known++;
    if (j + known > q->reach) {
        q->first = i;
        q->second = j;
        q->reach = j + known;
    }
    return known;
}

/* The run that the Lyndon word s[i..j) is part of, if it is its leftmost in the run. */
static int try_word(struct search *q, int32_t i, int32_t j)
{
    int32_t period = j - i, left = 0;
    if (i >= period && q->end[i - period] == i && q->common[i - period] >= period)
        return 0; /* the word also stands before: found there */
    while (left < i && left < period && q->s[i - 1 - left] == q->s[j - 1 - left])
        left++;
    if (left == period || left + q->common[i] < period)
        return 0;
    return add_run(q, i - left, j + q->common[i], period);
}

/* Longest Lyndon words by the next smaller suffix (or, in the other order of symbols, the next larger one), and the
 * runs they give. */
static int search_order(struct search *q, bool larger)
{
    int32_t depth = 0;
    q->first = q->second = q->reach = 0;
    for (int32_t j = 0; j < q->n; j++) {
        while (depth > 0 && (q->rank[q->stack[depth - 1]] < q->rank[j]) == larger) {
            int32_t i = q->stack[--depth];
            q->end[i] = j;
            q->common[i] = agree(q, i, j);
            if (try_word(q, i, j))
                return -1;
        }
        q->stack[depth++] = j;
        q->end[j] = q->n;
    }
    /* Nothing follows the words of length up to the end, but a run may end there, in the order where the end is
     * smallest. */
    while (!larger && depth > 0) {
        int32_t i = q->stack[--depth];
        q->common[i] = 0;
        if (try_word(q, i, q->n))
            return -1;
    }
    return 0;
}

static int compare_period(const void *a, const void *b)
{
    const struct cs_run_of *x = a, *y = b;
    return (x->period > y->period) - (x->period < y->period);
}

static void sort_ties(struct cs_runs *r)
{
    for (int32_t i = 0, j; i < r->n; i = j) {
        for (j = i + 1; j < r->n && r->run[j].start == r->run[i].start; j++)
            ;
        if (j - i > 1)
            qsort(r->run + i, (size_t)(j - i), sizeof *r->run, compare_period);
    }
}

/* Counting sort by start; `count` has room for n + 1. */
static int sort_runs(struct cs_runs *r, int32_t n, int32_t *count)
{
    struct cs_run_of *sorted = malloc(((size_t)r->n + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    memset(count, 0, ((size_t)n + 1) * sizeof *count);
    for (int32_t i = 0; i < r->n; i++)
        count[r->run[i].start + 1]++;
    for (int32_t i = 0; i < n; i++)
        count[i + 1] += count[i];
    for (int32_t i = 0; i < r->n; i++)
        sorted[count[r->run[i].start]++] = r->run[i];
    free(r->run);
    r->run = sorted;
    sort_ties(r);
    return 0;
}

static int32_t *suffix_ranks(const int32_t *s, int32_t n, int32_t k)
{
    int32_t *sa = malloc((size_t)n * sizeof *sa), *rank = malloc((size_t)n * sizeof *rank);
    if (!sa || !rank || cs_suffix_array(s, n, k, sa)) {
        free(rank);
        rank = NULL;
    } else {
        cs_suffix_rank(sa, n, rank);
    }
    free(sa);
    return rank;
}

int cs_runs_find(const int32_t *s, int32_t n, int32_t k, struct cs_runs *out)
{
    int rc = -1;
    *out = (struct cs_runs){0};
    if (n < 2)
        return 0;
    struct search q = {.s = s, .n = n, .out = out};
    int32_t *rank = suffix_ranks(s, n, k);
    q.rank = rank;
    q.end = malloc((size_t)n * sizeof *q.end);
    q.common = malloc((size_t)n * sizeof *q.common);
    q.stack = malloc(((size_t)n + 1) * sizeof *q.stack);
    if (rank && q.end && q.common && q.stack && !search_order(&q, false) && !search_order(&q, true))
        rc = sort_runs(out, n, q.stack);
    free(rank);
    free(q.end);
    free(q.common);
    free(q.stack);
    if (rc)
        cs_runs_free(out);
    return rc;
}

void cs_runs_free(struct cs_runs *r)
{
    free(r->run);
    *r = (struct cs_runs){0};
}
