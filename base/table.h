/* SPDX-License-Identifier: BSD-3-Clause
 * A hash table with open addressing that holds numbers. Each number stands for a thing of the caller's, mostly an
 * element of an array, and is found by the hash of that thing. For things with an address of their own there is uthash.
 *
 *     slot:  | 0 | 3 | 1 | 0 | 0 | 2 | 0 | 0 |     a number plus one, 0 is free; a power of two of them,
 *                                                  at most three quarters used
 *
 * To look something up, walk along the numbers that may be it:
 *
 *     for (uint32_t at = cs_table_first(&t, hash); (i = cs_table_at(&t, at)) >= 0; at = cs_table_next(&t, at))
 *         if (is_it(i)) return i;
 *
 * and to add: cs_table_reserve, then cs_table_put. Numbers are taken out only all at once. All zero is the empty table.
 */
#ifndef CS_TABLE_H
#define CS_TABLE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Owned by whoever fills it; slot[] has nslots entries, each 0 or a number plus one. */
struct cs_table {
    uint32_t *slot;
    uint32_t nslots; /* 0 or a power of two */
    uint32_t n;      /* numbers in it */
};

/* The hash of what a number stands for; `what` is the caller's. */
typedef uint32_t cs_table_hash_fn(const void *what, uint32_t number);

/* The slots to walk along for a hash: the first, and the one after `at`. */
static inline uint32_t cs_table_first(const struct cs_table *t, uint32_t hash)
{
    return t->nslots ? hash & (t->nslots - 1) : 0;
}

static inline uint32_t cs_table_next(const struct cs_table *t, uint32_t at)
{
    assert(at < t->nslots);
    return (at + 1) & (t->nslots - 1);
}

/* The number in this slot, or -1 where the walk ends. */
static inline int64_t cs_table_at(const struct cs_table *t, uint32_t at)
{
    assert(at < t->nslots || t->nslots == 0);
    return t->nslots ? (int64_t)t->slot[at] - 1 : -1;
}

/* Adds a number, for which cs_table_reserve has made room. It must not be there yet. */
static inline void cs_table_put(struct cs_table *t, uint32_t hash, uint32_t number)
{
    assert(4 * (uint64_t)t->n < 3 * (uint64_t)t->nslots && number < UINT32_MAX);
    uint32_t at = cs_table_first(t, hash);
    while (t->slot[at])
        at = cs_table_next(t, at);
    t->slot[at] = number + 1;
    t->n++;
}

/* Makes room for one more number; hash_of(what, number) gives the hash of each number that is there. False when memory
 * is out; the table is as it was. */
static inline bool cs_table_reserve(struct cs_table *t, cs_table_hash_fn *hash_of, const void *what)
{
    if (4 * ((uint64_t)t->n + 1) <= 3 * (uint64_t)t->nslots)
        return true;
    assert((t->nslots & (t->nslots - 1)) == 0 && t->n <= t->nslots);
    if (t->nslots > UINT32_MAX / 2)
        return false;
    struct cs_table more = {NULL, t->nslots ? 2 * t->nslots : 16, 0};
    more.slot = (uint32_t *)calloc(more.nslots, sizeof *more.slot);
    if (!more.slot)
        return false;
    for (uint32_t i = 0; i < t->nslots; i++)
        if (t->slot[i])
            cs_table_put(&more, hash_of(what, t->slot[i] - 1), t->slot[i] - 1);
    free(t->slot);
    *t = more;
    return true;
}

/* Takes all numbers out, and keeps the room. */
static inline void cs_table_clear(struct cs_table *t)
{
    if (t->nslots)
        memset(t->slot, 0, t->nslots * sizeof *t->slot);
    t->n = 0;
}

/* Empties it: it may be filled again. */
static inline void cs_table_free(struct cs_table *t)
{
    free(t->slot);
    t->slot = NULL;
    t->nslots = t->n = 0;
}

#endif
