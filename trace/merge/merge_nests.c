/* SPDX-License-Identifier: BSD-3-Clause
 * Loops over the symbols of a class, each content once. A polynomial of the unrolled symbols is kept with each loop, so
 * that two streams can be told equal whichever way the recorder folded them, without unrolling. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/modular.h"
#include "trace/merge/merge_internal.h"

const struct cs_polynomial cs_polynomial_empty = {{0, 0}, {1, 1}};
static const uint64_t base[2] = {UINT64_C(0x1d8af40c6e7a9b31), UINT64_C(0x0b52c1f7d3e98a65)};

struct cs_polynomial cs_polynomial_join(struct cs_polynomial a, struct cs_polynomial b)
{
    struct cs_polynomial r;
    for (int i = 0; i < 2; i++) {
        r.h[i] = (cs_modular_times(a.h[i], b.power[i]) + b.h[i]) % CS_MODULUS;
        r.power[i] = cs_modular_times(a.power[i], b.power[i]);
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
    return (struct cs_polynomial){{symbol, symbol}, {base[0] % CS_MODULUS, base[1] % CS_MODULUS}};
}

int64_t cs_nests_length(const struct cs_nests *s, uint32_t item)
{
    return cs_item_is_loop(item) ? s->loop[cs_item_number(item)].length : 1;
}

static uint32_t hash_loop(const uint32_t *item, uint32_t n, uint64_t count)
{
    return (uint32_t)XXH3_64bits_withSeed(item, n * sizeof *item, count);
}

static uint32_t hash_of(const void *nests, uint32_t number)
{
    const struct cs_nests *s = nests;
    const struct cs_nested *l = &s->loop[number];
    return hash_loop(s->arena + l->first, l->n, l->count);
}

/* Appends the loop. 0, or -1 when memory is out; nothing has changed then but the room. */
static int add_loop(struct cs_nests *s, const uint32_t *item, uint32_t n, uint64_t count)
{
    assert(n > 0 && count > 0);
    if ((uint64_t)s->arena_n + n > UINT32_MAX / 2 || s->n >= UINT32_MAX / 4) {
        errno = ENOMEM;
        return -1;
    }
    if (!CS_MAKE_ROOM(s->loop, s->n, s->cap) || !CS_MAKE_ROOM_FOR(s->arena, (size_t)s->arena_n + n, s->arena_cap))
        return -1;
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
    uint32_t hash = hash_loop(item, n, count);
    int64_t i;
    for (uint32_t at = cs_table_first(&s->by_content, hash); (i = cs_table_at(&s->by_content, at)) >= 0;
         at = cs_table_next(&s->by_content, at)) {
        const struct cs_nested *l = &s->loop[i];
        if (l->n == n && l->count == count && memcmp(s->arena + l->first, item, n * sizeof *item) == 0)
            return i;
    }
    if (!cs_table_reserve(&s->by_content, hash_of, s) || add_loop(s, item, n, count))
        return -1;
    cs_table_put(&s->by_content, hash, s->n - 1);
    return s->n - 1;
}

void cs_nests_free(struct cs_nests *s)
{
    free(s->loop);
    free(s->arena);
    cs_table_free(&s->by_content);
    *s = (struct cs_nests){0};
}
