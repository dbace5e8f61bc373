/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arithmetic on sets of byte offsets; offsets.h says what they are for.
 * Nothing here knows objects or programs: it can be tested by enumerating small sets. */
#include "slicer/graph/offsets.h"

#include <assert.h>

static int64_t gcd64(int64_t sa, int64_t sb)
{
    uint64_t a = sa < 0 ? -(uint64_t)sa : (uint64_t)sa, b = sb < 0 ? -(uint64_t)sb : (uint64_t)sb;
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a > CS_OFF_MAX ? 1 : (int64_t)a;
}

static int64_t mod64(int64_t a, int64_t m)
{
    assert(m > 0);
    int64_t r = a % m;
    return r < 0 ? r + m : r;
}

static int64_t clamp(int64_t v)
{
    return v < CS_OFF_MIN ? CS_OFF_MIN : v > CS_OFF_MAX ? CS_OFF_MAX : v;
}

struct cs_pattern cs_pat_at(int64_t off)
{
    return (struct cs_pattern){off, 0, CS_OFF_MIN, CS_OFF_MAX};
}

struct cs_pattern cs_pat_any(void)
{
    return (struct cs_pattern){0, 1, CS_OFF_MIN, CS_OFF_MAX};
}

/* Lifts the bounds that an element pointer which is moved by c bytes may leave. It may be that of any element, from
 * which a program finds the struct that the array is a member of (container_of), or a member behind the array: by more
 * than an element and some bytes, or back to the start of the object. Less is a step in the array, or from one member
 * of an element to another one. Back, a later distance may lead to any member of the struct; forward only to one
 * behind. */
static void lift_bounds(struct cs_pattern *p, int64_t c)
{
    bool back = c < 0 && p->lo > 0 && (c == -p->lo || (c <= -CS_OFF_STEP && -c > p->stride)),
         forward = c >= CS_OFF_STEP && c > p->stride;
    if (back || c <= p->lo - p->hi)
        p->lo = CS_OFF_MIN;
    if (back || forward || c >= p->hi - p->lo || c <= p->lo - p->hi)
        p->hi = CS_OFF_MAX;
}

struct cs_pattern cs_pat_shift(struct cs_pattern p, int64_t c)
{
    if (p.stride == 0) {
        p.off = clamp(p.off + clamp(c));
        if (p.off < p.lo || p.off > p.hi) {
            p.lo = CS_OFF_MIN;
            p.hi = CS_OFF_MAX;
        }
    } else {
        /* An element pointer moved to a member: the pattern moves, the array that it lives in does not. */
        lift_bounds(&p, c);
        p.off = mod64(p.off + c % p.stride, p.stride);
    }
    return p;
}

struct cs_pattern cs_pat_spread(struct cs_pattern p, int64_t stride)
{
    assert(p.stride >= 0);
    p.stride = gcd64(p.stride, stride);
    if (p.stride == 0)
        return p;
    p.off = mod64(p.off, p.stride);
    return p;
}

/* Bounds of `inner` behind a pointer at one known offset; on a side where it has none, those of the pointer stay. */
static void inner_bounds(struct cs_pattern *r, struct cs_pattern outer, struct cs_pattern inner)
{
    if (outer.stride)
        return;
    if (inner.lo > CS_OFF_MIN)
        r->lo = clamp(outer.off + inner.lo);
    if (inner.hi < CS_OFF_MAX)
        r->hi = clamp(outer.off + inner.hi);
    if (r->hi <= r->lo) {
        r->lo = CS_OFF_MIN;
        r->hi = CS_OFF_MAX;
    } /* behind the end of what it may move in */
}

struct cs_pattern cs_pat_compose(struct cs_pattern outer, struct cs_pattern inner)
{
    struct cs_pattern r = outer;
    assert(outer.stride >= 0 && inner.stride >= 0);
    if (inner.stride == 0) {
        r = cs_pat_shift(outer, inner.off);
    } else {
        if (outer.stride && inner.lo > CS_OFF_MIN)
            lift_bounds(&r, inner.lo);
        r.stride = gcd64(outer.stride, inner.stride);
        r.off = mod64(outer.off + inner.off, r.stride);
    }
    inner_bounds(&r, outer, inner);
    return r;
}

struct cs_pattern cs_pat_access(struct cs_pattern outer, struct cs_pattern inner, int64_t *size)
{
    int64_t bytes = inner.hi < CS_OFF_MAX ? inner.hi - inner.lo : 0; /* a last array may be longer than its struct */
    bool element = inner.stride > 0 && outer.stride > inner.stride && *size == inner.stride,
         all = inner.stride == 0 && inner.off == inner.lo && *size < 0;
    if (outer.stride <= 0 || (!element && !all) || inner.lo < 0 || bytes <= 0 || bytes > outer.stride)
        return cs_pat_compose(outer, inner);
    *size = bytes;
    return cs_pat_shift(outer, inner.lo);
}

struct cs_pattern cs_pat_normal(struct cs_pattern p, int64_t objsize)
{
    if (p.lo < 0)
        p.lo = 0;
    if (objsize >= 0 && p.hi > objsize)
        p.hi = objsize;
    if (p.hi < p.lo) {
        p.lo = 0;
        p.hi = objsize >= 0 ? objsize : CS_OFF_MAX;
    }
    if (p.stride)
        p.off = mod64(p.off, p.stride);
    assert(p.lo >= 0 && p.lo <= p.hi);
    return p;
}

bool cs_pat_equal(struct cs_pattern a, struct cs_pattern b)
{
    return a.off == b.off && a.stride == b.stride && a.lo == b.lo && a.hi == b.hi;
}

bool cs_pat_covers(struct cs_pattern a, struct cs_pattern b)
{
    if (a.lo > b.lo || a.hi < b.hi)
        return false;
    if (a.stride == 0)
        return b.stride == 0 && a.off == b.off;
    if (b.stride % a.stride)
        return false;
    if (b.stride == 0 && (b.off < a.lo || b.off >= a.hi))
        return false;
    return mod64(b.off, a.stride) == a.off;
}

/* First and last byte (exclusive) that an access may touch. */
static void span(struct cs_pattern p, int64_t size, int64_t *lo, int64_t *hi)
{
    if (p.stride == 0) {
        *lo = p.off;
        *hi = size < 0 ? (p.hi > p.off ? p.hi : CS_OFF_MAX) : clamp(p.off + size);
    } else {
        *lo = p.lo;
        *hi = p.hi;
    }
}

bool cs_pat_overlap(struct cs_pattern a, int64_t asize, struct cs_pattern b, int64_t bsize)
{
    int64_t alo, ahi, blo, bhi;
    span(a, asize, &alo, &ahi);
    span(b, bsize, &blo, &bhi);
    if (alo >= bhi || blo >= ahi)
        return false;
    int64_t g = gcd64(a.stride, b.stride);
    if (g == 0 || asize < 0 || bsize < 0)
        return true;
    int64_t d = mod64(b.off - a.off, g);
    return d < asize || g - d < bsize;
}
