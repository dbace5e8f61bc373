/* SPDX-License-Identifier: BSD-3-Clause
 * Shares by weight and by curve: shares.h. Largest remainder is Hamilton's method; finishing together is a bisection
 * for the time in which all workers do all items, as in functional performance models (Lastovetsky, Reddy, 2007). */
#include "balance/techniques/shares.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* What a share was cut off by; the index keeps the order of those that are alike. */
struct remainder {
    double part;
    int worker;
};

static int largest_first(const void *a, const void *b)
{
    const struct remainder *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? 1 : -1;
    return x->worker - y->worker;
}

/* Rounding may have given out one too many as well as left some. */
static void even_out(int64_t left, int n, const struct remainder *r, int64_t *share)
{
    for (int i = 0; left > 0; i = (i + 1) % n, left--)
        share[r[i].worker]++;
    for (int i = n - 1; left < 0; i = (i + n - 1) % n)
        if (share[r[i].worker] > 0) {
            share[r[i].worker]--;
            left++;
        }
}

int cs_shares_by_weight(int64_t items, int n, const double *weight, int64_t *share)
{
    assert(items >= 0 && n > 0);
    struct remainder *r = malloc((size_t)n * sizeof *r);
    double sum = 0;
    int64_t left = items;
    if (!r)
        return -1;
    for (int i = 0; i < n; i++)
        sum += weight[i];
    assert(sum > 0 && isfinite(sum));
    for (int i = 0; i < n; i++) {
        double exact = (double)items * (weight[i] / sum);
        share[i] = (int64_t)exact;
        r[i] = (struct remainder){exact - (double)share[i], i};
        left -= share[i];
    }
    qsort(r, (size_t)n, sizeof *r, largest_first);
    even_out(left, n, r, share);
    free(r);
    return 0;
}

/* The piece of the curve behind point i - 1: seconds for an item more. Never nothing, so that the curve has an
 * inverse. */
static double slope(const struct cs_time_curve *c, int i)
{
    double size = i ? c->size[i - 1] : 0, seconds = i ? c->seconds[i - 1] : 0;
    double flat = 1e-6 * c->seconds[i] / c->size[i];
    return fmax((c->seconds[i] - seconds) / (c->size[i] - size), flat);
}

double cs_curve_seconds(const struct cs_time_curve *c, double items)
{
    double size = 0, seconds = 0;
    if (c->n == 0)
        return items;
    for (int i = 0; i < c->n; i++) {
        double per_item = slope(c, i), to = i + 1 < c->n ? fmin(items, c->size[i]) : items;
        if (to <= size)
            break;
        seconds += (to - size) * per_item;
        size = to;
    }
    return seconds;
}

/* How many items are done in this time. */
static double items_in(const struct cs_time_curve *c, double time)
{
    double size = 0, seconds = 0;
    if (c->n == 0)
        return time;
    for (int i = 0; i < c->n; i++) {
        double per_item = slope(c, i), whole = (c->size[i] - size) * per_item;
        if (i + 1 == c->n || seconds + whole >= time)
            return size + (time - seconds) / per_item;
        seconds += whole;
        size = c->size[i];
    }
    return size;
}

/* count: how many workers there are of each curve, NULL: one. */
static double all_items_in(int n, const struct cs_time_curve *curve, const double *count, double time)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (count ? count[i] : 1) * items_in(&curve[i], time);
    return sum;
}

/* Bisection; rounded up. */
static double time_for(double items, int n, const struct cs_time_curve *curve, const double *count)
{
    double low = 0, high = 1e-9;
    while (all_items_in(n, curve, count, high) < items + 1)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = (low + high) / 2;
        if (middle <= low || middle >= high)
            break;
        *(all_items_in(n, curve, count, middle) < items ? &low : &high) = middle;
    }
    return high;
}

double cs_curves_together(double items, int n, const struct cs_time_curve *curve, const double *count)
{
    assert(items >= 0 && n > 0);
    return items > 0 ? time_for(items, n, curve, count) : 0;
}

int cs_shares_by_curve(int64_t items, int n, const struct cs_time_curve *curve, int64_t *share)
{
    assert(items >= 0 && n > 0);
    double *weight = malloc((size_t)n * sizeof *weight);
    if (!weight)
        return -1;
    double time = time_for((double)items, n, curve, NULL);
    for (int i = 0; i < n; i++)
        weight[i] = items_in(&curve[i], time);
    int result = cs_shares_by_weight(items, n, weight, share);
    free(weight);
    return result;
}
