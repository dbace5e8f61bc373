/* SPDX-License-Identifier: BSD-3-Clause
 * The lists of ranges.h. Building is greedy: the first two ranks of a progression set its stride.
 * Questions walk over the progressions, of which there are few. */
#include "base/ranges.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Appends a progression. Room begins with one, not with the eight of base/grow.h: a rank has several lists, and most of
 * them need no more than one. */
static int new_range(struct cs_ranges *r, int start, int len)
{
    assert(len > 0 && r->n <= r->cap);
    if (r->n == r->cap) {
        int cap = r->cap ? 2 * r->cap : 1;
        struct cs_range *p = realloc(r->range, (size_t)cap * sizeof *p);
        if (!p)
            return -1;
        r->range = p;
        r->cap = cap;
    }
    r->range[r->n++] = (struct cs_range){start, len > 1, len};
    r->total += len;
    return 0;
}

int cs_ranges_add(struct cs_ranges *r, int rank)
{
    struct cs_range *last = r->n ? &r->range[r->n - 1] : NULL;
    assert(!last || last->len > 0);
    if (last && last->len == 1)
        last->stride = rank - last->start;
    else if (!last || (int64_t)last->start + (int64_t)last->stride * last->len != rank)
        return new_range(r, rank, 1);
    last->len++;
    r->total++;
    return 0;
}

int cs_ranges_add_run(struct cs_ranges *r, int start, int len)
{
    return len > 0 ? new_range(r, start, len) : 0;
}

int cs_ranges_at(const struct cs_ranges *r, int i)
{
    for (int k = 0; i >= 0 && k < r->n; k++) {
        if (i < r->range[k].len)
            return r->range[k].start + i * r->range[k].stride;
        i -= r->range[k].len;
    }
    return -1;
}

/* The place of the rank in one progression, or -1. */
static int find_in(const struct cs_range *r, int rank)
{
    int64_t d = (int64_t)rank - r->start;
    if (r->stride == 0 || d == 0)
        return d == 0 ? 0 : -1;
    return d % r->stride == 0 && d / r->stride > 0 && d / r->stride < r->len ? (int)(d / r->stride) : -1;
}

int cs_ranges_find(const struct cs_ranges *r, int rank)
{
    for (int k = 0, before = 0; k < r->n; before += r->range[k++].len) {
        int at = find_in(&r->range[k], rank);
        if (at >= 0) {
            assert(before + at < r->total);
            return before + at;
        }
    }
    return -1;
}

void cs_ranges_free(struct cs_ranges *r)
{
    free(r->range);
    *r = (struct cs_ranges){0};
}
