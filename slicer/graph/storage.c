/* SPDX-License-Identifier: GPL-3.0-or-later
 * Memory helpers of the slicer; see storage.h.
 * Sorted integer sets are small here (a points-to set has a handful of members), so plain arrays beat trees. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/graph/storage.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *check(void *p)
{
    if (!p) {
        fputs("commslice: out of memory while slicing\n", stderr);
        abort();
    }
    return p;
}

void *cs_calloc(size_t n, size_t size)
{
    return check(calloc(n, size));
}

void *cs_realloc(void *p, size_t size)
{
    return check(realloc(p, size));
}

char *cs_strdup(const char *s)
{
    return check(strdup(s));
}

static int lower_bound(const struct cs_intset *s, int x)
{
    int lo = 0, hi = s->n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (s->a[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

int cs_intset_add(struct cs_intset *s, int x)
{
    int i = lower_bound(s, x);
    assert(s->n <= s->cap);
    if (i < s->n && s->a[i] == x)
        return 0;
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 4;
        s->a = cs_realloc(s->a, s->cap * sizeof *s->a);
    }
    memmove(s->a + i + 1, s->a + i, (s->n - i) * sizeof *s->a);
    s->a[i] = x;
    s->n++;
    assert((i == 0 || s->a[i - 1] < x) && (i == s->n - 1 || x < s->a[i + 1]));
    return 1;
}

int cs_intset_has(const struct cs_intset *s, int x)
{
    int i = lower_bound(s, x);
    return i < s->n && s->a[i] == x;
}

struct cs_intset cs_intset_copy(const struct cs_intset *s)
{
    struct cs_intset c = {s->n, s->n, s->n ? cs_calloc((size_t)s->n, sizeof *s->a) : NULL};
    for (int i = 0; i < s->n; i++)
        c.a[i] = s->a[i];
    return c;
}

void cs_intset_free(struct cs_intset *s)
{
    free(s->a);
    s->a = NULL;
    s->n = s->cap = 0;
}

void cs_intlist_add(struct cs_intlist *l, int x)
{
    assert(l->n >= 0 && l->n <= l->cap);
    if (l->n == l->cap) {
        l->cap = l->cap ? 2 * l->cap : 8;
        l->a = cs_realloc(l->a, l->cap * sizeof *l->a);
    }
    l->a[l->n++] = x;
}

void cs_intlist_free(struct cs_intlist *l)
{
    free(l->a);
    l->a = NULL;
    l->n = l->cap = 0;
}

uint32_t cs_hash(uint32_t h, int64_t x)
{
    uint64_t v = ((uint64_t)h << 32 | h) ^ (uint64_t)x;
    v ^= v >> 32;
    v *= UINT64_C(0x9e3779b97f4a7c15);
    v ^= v >> 29;
    v *= UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(v >> 32);
}

#define NO_PAIR (-1) /* in `a`: the slot is empty */

int cs_pairset_find(const struct cs_pairset *s, uint32_t hash, bool (*same)(const void *, int, int), const void *what)
{
    if (!s->cap)
        return -1;
    for (uint32_t i = hash & (s->cap - 1); s->slots[i].a != NO_PAIR; i = (i + 1) & (s->cap - 1))
        if (s->slots[i].hash == hash && same(what, s->slots[i].a, s->slots[i].b))
            return s->slots[i].a;
    return -1;
}

bool cs_pairset_has(const struct cs_pairset *s, uint32_t hash, bool (*same)(const void *, int, int), const void *what)
{
    return cs_pairset_find(s, hash, same, what) >= 0;
}

static void put_pair(struct cs_pairset *s, struct cs_pairslot p)
{
    uint32_t i = p.hash & (s->cap - 1);
    while (s->slots[i].a != NO_PAIR)
        i = (i + 1) & (s->cap - 1);
    s->slots[i] = p;
}

static void grow_pairs(struct cs_pairset *s)
{
    struct cs_pairset old = *s;
    assert((old.cap & (old.cap - 1)) == 0);
    s->cap = old.cap ? 2 * old.cap : 64;
    s->slots = cs_realloc(NULL, (size_t)s->cap * sizeof *s->slots);
    for (int i = 0; i < s->cap; i++)
        s->slots[i].a = NO_PAIR;
    for (int i = 0; i < old.cap; i++)
        if (old.slots[i].a != NO_PAIR)
            put_pair(s, old.slots[i]);
    free(old.slots);
}

void cs_pairset_add(struct cs_pairset *s, uint32_t hash, int a, int b)
{
    assert(a >= 0);
    if (2 * (s->n + 1) > s->cap)
        grow_pairs(s);
    put_pair(s, (struct cs_pairslot){hash, a, b});
    s->n++;
    assert(2 * s->n <= s->cap);
}

void cs_pairset_free(struct cs_pairset *s)
{
    free(s->slots);
    *s = (struct cs_pairset){0};
}

bool cs_fits(int64_t x, int bits)
{
    int n = bits < 0 ? -bits : bits;
    if (n <= 1)
        return n && (x == 0 || x == 1);
    return n >= 64 || (x >= -(INT64_C(1) << (n - 1)) && x < INT64_C(1) << (n - 1));
}
