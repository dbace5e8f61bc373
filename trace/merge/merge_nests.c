/* SPDX-License-Identifier: BSD-3-Clause
 * Loops over the symbols of a class, each content once. A polynomial of the unrolled symbols is kept with each loop, so
 * that two streams can be told equal whichever way the recorder folded them, without unrolling. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "trace/merge/merge_internal.h"

#define MODULUS ((UINT64_C(1) << 61) - 1)

const struct cs_polynomial cs_polynomial_empty = {{0, 0}, {1, 1}};
static const uint64_t base[2] = {UINT64_C(0x1d8af40c6e7a9b31), UINT64_C(0x0b52c1f7d3e98a65)};

static uint64_t times(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 p = (unsigned __int128)a * b;
    uint64_t r = (uint64_t)(p & MODULUS) + (uint64_t)(p >> 61);
    return r >= MODULUS ? r - MODULUS : r;
}

struct cs_polynomial cs_polynomial_join(struct cs_polynomial a, struct cs_polynomial b)
{
    struct cs_polynomial r;
    for (int i = 0; i < 2; i++) {
        r.h[i] = (times(a.h[i], b.power[i]) + b.h[i]) % MODULUS;
        r.power[i] = times(a.power[i], b.power[i]);
    }
    return r;
}

static struct cs_polynomial repeat(struct cs_polynomial p, uint64_t count)
{
    struct cs_polynomial r = cs_polynomial_empty;
    for (; count; count >>= 1) {
        if (count & 1)
            r = cs_polynomial_join(r, p);
        p = cs_polynomial_join(p, p);
    }
    return r;
}

struct cs_polynomial cs_polynomial_of(const struct cs_nests *s, uint32_t item)
{
    if (cs_item_is_loop(item))
        return s->loop[cs_item_number(item)].poly;
    uint64_t symbol = cs_item_number(item) + UINT64_C(1);
    return (struct cs_polynomial){{symbol, symbol}, {base[0] % MODULUS, base[1] % MODULUS}};
}

int64_t cs_nests_length(const struct cs_nests *s, uint32_t item)
{
    return cs_item_is_loop(item) ? s->loop[cs_item_number(item)].length : 1;
}

static uint64_t hash_loop(const uint32_t *item, uint32_t n, uint64_t count)
{
    return XXH3_64bits_withSeed(item, n * sizeof *item, count);
}

static int rehash(struct cs_nests *s)
{
    uint32_t nslots = s->nslots ? 2 * s->nslots : 64;
    uint32_t *slot = calloc(nslots, sizeof *slot);
    if (!slot)
        return -1;
    for (uint32_t i = 0; i < s->n; i++) {
        const struct cs_nested *l = &s->loop[i];
        uint64_t at = hash_loop(s->arena + l->first, l->n, l->count);
        while (slot[at & (nslots - 1)])
            at++;
        slot[at & (nslots - 1)] = i + 1;
    }
    free(s->slot);
    s->slot = slot;
    s->nslots = nslots;
    return 0;
}

static int add_loop(struct cs_nests *s, const uint32_t *item, uint32_t n, uint64_t count)
{
    size_t cap = s->cap, arena_cap = s->arena_cap;
    if ((uint64_t)s->arena_n + n > UINT32_MAX / 2 || s->n >= UINT32_MAX / 4) {
        errno = ENOMEM;
        return -1;
    }
    if (!CS_MAKE_ROOM_FOR(s->loop, s->n + 1, cap) || !CS_MAKE_ROOM_FOR(s->arena, (size_t)s->arena_n + n, arena_cap))
        return -1;
    s->cap = (uint32_t)cap;
    s->arena_cap = (uint32_t)arena_cap;
    struct cs_nested *l = &s->loop[s->n++];
    *l = (struct cs_nested){.count = count, .first = s->arena_n, .n = n, .poly = cs_polynomial_empty};
    memcpy(s->arena + s->arena_n, item, n * sizeof *item);
    s->arena_n += n;
    for (uint32_t i = 0; i < n; i++) {
        l->poly = cs_polynomial_join(l->poly, cs_polynomial_of(s, item[i]));
        l->length += cs_nests_length(s, item[i]);
    }
    l->poly = repeat(l->poly, count);
    l->length *= (int64_t)count;
    return 0;
}

int64_t cs_nests_loop(struct cs_nests *s, const uint32_t *item, uint32_t n, uint64_t count)
{
    if (2 * s->n >= s->nslots && rehash(s))
        return -1;
    uint64_t at = hash_loop(item, n, count);
    for (; s->slot[at & (s->nslots - 1)]; at++) {
        uint32_t i = s->slot[at & (s->nslots - 1)] - 1;
        const struct cs_nested *l = &s->loop[i];
        if (l->n == n && l->count == count && memcmp(s->arena + l->first, item, n * sizeof *item) == 0)
            return i;
    }
    s->slot[at & (s->nslots - 1)] = s->n + 1;
    return add_loop(s, item, n, count) ? -1 : (int64_t)s->n - 1;
}

void cs_nests_free(struct cs_nests *s)
{
    free(s->loop);
    free(s->arena);
    free(s->slot);
    *s = (struct cs_nests){0};
}
