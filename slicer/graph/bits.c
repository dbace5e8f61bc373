/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sparse sets of numbers; see bits.h.
 * Words are sorted by where they are. */
#include "slicer/graph/bits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

/* The first word, from number `lo` on, that is not before `at`. Words lie close together: the distance to the first and
 * to the last of them leaves few to look at. */
static int find_word(const struct cs_bits *b, int lo, int at)
{
    int n = b->n;
    assert(lo >= 0 && n <= b->cap);
    if (lo >= n || b->w[n - 1].at < at)
        return n;
    if (b->w[lo].at >= at)
        return lo;
    int hi = lo + (at - b->w[lo].at), least = n - 1 - (b->w[n - 1].at - at);
    if (hi > n - 1)
        hi = n - 1;
    if (least > lo)
        lo = least;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (b->w[mid].at < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    assert(b->w[lo].at >= at && (lo == 0 || b->w[lo - 1].at < at));
    return lo;
}

/* The same, where it is likely to be this word or the next one. */
static inline int advance(const struct cs_bits *b, int k, int at)
{
    if (k < b->n && b->w[k].at < at)
        k++;
    return k < b->n && b->w[k].at < at ? find_word(b, k, at) : k;
}

void cs_bits_fetch(const struct cs_bits *b, int at)
{
    if (!b->n)
        return;
    __builtin_prefetch(&b->w[b->n - 1]);
    __builtin_prefetch(&b->w[0]);
    __builtin_prefetch(&b->w[at < b->n ? at : b->n / 2]);
}

static void reserve(struct cs_bits *b, int n)
{
    if (n <= b->cap)
        return;
    b->cap = n > 2 * b->cap ? n : 2 * b->cap;
    b->w = cs_realloc(b->w, (size_t)b->cap * sizeof *b->w);
}

void cs_bits_append(struct cs_bits *b, struct cs_bitword w)
{
    assert(w.at >= 0 && (!b->n || b->w[b->n - 1].at < w.at));
    reserve(b, b->n + 1);
    b->w[b->n++] = w;
}

bool cs_bits_add(struct cs_bits *b, int x)
{
    assert(x >= 0);
    int at = x / 64, i = find_word(b, 0, at);
    uint64_t bit = UINT64_C(1) << x % 64;
    if (i == b->n || b->w[i].at != at) {
        reserve(b, b->n + 1);
        memmove(b->w + i + 1, b->w + i, (b->n - i) * sizeof *b->w);
        b->w[i] = (struct cs_bitword){at, 0};
        b->n++;
    }
    if (b->w[i].bits & bit)
        return false;
    b->w[i].bits |= bit;
    return true;
}

bool cs_bits_has(const struct cs_bits *b, int x)
{
    assert(x >= 0);
    int i = find_word(b, 0, x / 64);
    return i < b->n && b->w[i].at == x / 64 && (b->w[i].bits >> x % 64 & 1);
}

int cs_bits_next(const struct cs_bits *b, int x)
{
    assert(x >= 0);
    int i = find_word(b, 0, x / 64);
    if (i == b->n)
        return -1;
    uint64_t left = b->w[i].bits;
    if (b->w[i].at == x / 64)
        left = left >> x % 64 << x % 64;
    if (!left && ++i == b->n)
        return -1;
    if (!left)
        left = b->w[i].bits;
    assert(left); /* words of zeros are not stored */
    return b->w[i].at * 64 + __builtin_ctzll(left);
}

int cs_bits_count(const struct cs_bits *b)
{
    int n = 0;
    for (int i = 0; i < b->n; i++)
        n += __builtin_popcountll(b->w[i].bits);
    return n;
}

/* What is in a, and also in b (both) or not in b. */
static void pick(struct cs_bits *out, const struct cs_bits *a, const struct cs_bits *b, bool both)
{
    assert(out != a && out != b);
    out->n = 0;
    for (int i = 0, k = 0; i < a->n; i++) {
        k = i ? advance(b, k, a->w[i].at) : find_word(b, 0, a->w[0].at);
        uint64_t other = k < b->n && b->w[k].at == a->w[i].at ? b->w[k].bits : 0;
        uint64_t bits = a->w[i].bits & (both ? other : ~other);
        if (!bits)
            continue;
        cs_bits_append(out, (struct cs_bitword){a->w[i].at, bits});
    }
}

void cs_bits_minus(struct cs_bits *out, const struct cs_bits *a, const struct cs_bits *b)
{
    pick(out, a, b, false);
}

void cs_bits_and(struct cs_bits *out, const struct cs_bits *a, const struct cs_bits *b)
{
    if (a->n < b->n)
        pick(out, a, b, true);
    else
        pick(out, b, a, true);
}

bool cs_bits_meet(const struct cs_bits *a, const struct cs_bits *b)
{
    if (a->n > b->n)
        return cs_bits_meet(b, a);
    for (int i = 0, k = 0; i < a->n; i++) {
        k = i ? advance(b, k, a->w[i].at) : find_word(b, 0, a->w[0].at);
        if (k < b->n && b->w[k].at == a->w[i].at && (b->w[k].bits & a->w[i].bits))
            return true;
    }
    return false;
}

/* From the end, so that words move only once. */
void cs_bits_or(struct cs_bits *b, const struct cs_bits *more)
{
    int extra = 0;
    assert(b != more);
    for (int i = 0, k = 0; i < more->n; i++) {
        k = i ? advance(b, k, more->w[i].at) : find_word(b, 0, more->w[0].at);
        if (k < b->n && b->w[k].at == more->w[i].at)
            b->w[k].bits |= more->w[i].bits;
        else
            extra++;
    }
    if (!extra)
        return;
    reserve(b, b->n + extra);
    int from = b->n - 1, to = b->n + extra - 1;
    b->n += extra;
    for (int i = more->n - 1; to > from; i--) {
        while (from >= 0 && b->w[from].at > more->w[i].at)
            b->w[to--] = b->w[from--];
        if (from < 0 || b->w[from].at != more->w[i].at)
            b->w[to--] = more->w[i];
    }
}

void cs_bits_list(const struct cs_bits *b, struct cs_intlist *out)
{
    for (int i = 0; i < b->n; i++)
        for (uint64_t left = b->w[i].bits; left; left &= left - 1)
            cs_intlist_add(out, b->w[i].at * 64 + __builtin_ctzll(left));
}

void cs_bits_free(struct cs_bits *b)
{
    free(b->w);
    *b = (struct cs_bits){0};
}
