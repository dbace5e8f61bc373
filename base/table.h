/* SPDX-License-Identifier: BSD-3-Clause
 * A hash table with open addressing that holds numbers. Each number stands for a thing of the caller's, mostly an
 * element of an array, and is found by the hash of that thing. For things with an address of their own there is uthash.
 *
 *     slot:  | 0 | 3 | 1 | 0 | 0 | 2 | 0 | 0 |     Each slot has a number plus one, or 0 if it is free. The count of
 *                                                  slots is a power of two; at most three quarters are used.
 *
 * To look a thing up, walk along the numbers that may stand for it; the walk ends at the first free slot:
 *
 *     for (uint32_t at = cs_table_first(&t, hash); (i = cs_table_at(&t, at)) >= 0; at = cs_table_next(&t, at))
 *         if (is_it(i)) return i;
 *
 * To add a number, call cs_table_reserve, then cs_table_put. A single number cannot be taken out; cs_table_clear takes
 * out all of them. A struct whose members are all zero is the empty table.
 */
#ifndef CS_TABLE_H
#define CS_TABLE_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A table. Whoever fills it owns it, and frees its slots with cs_table_free(). slot[] has nslots entries, each 0 or a
 * number plus one; it is NULL while nslots is 0. */
struct cs_table {
    uint32_t *slot;
    uint32_t nslots; /* 0 or a power of two */
    uint32_t n;      /* numbers in it */
};

/* Gives the hash of the thing that `number` stands for; `what` is what cs_table_reserve() was called with. */
typedef uint32_t cs_table_hash_fn(const void *what, uint32_t number);

/* The slot where the walk for this hash begins; 0 if the table has no slots. */
static inline uint32_t cs_table_first(const struct cs_table *t, uint32_t hash)
{
    return t->nslots ? hash & (t->nslots - 1) : 0;
}

/* The slot that a walk comes to after slot `at`; slot 0 follows the last one. */
static inline uint32_t cs_table_next(const struct cs_table *t, uint32_t at)
{
    assert(at < t->nslots);
    return (at + 1) & (t->nslots - 1);
}

/* The number in slot `at`, or -1 if the slot is free: the walk ends there. A table without slots gives -1. */
static inline int64_t cs_table_at(const struct cs_table *t, uint32_t at)
{
    assert(at < t->nslots || t->nslots == 0);
    return t->nslots ? (int64_t)t->slot[at] - 1 : -1;
}

/* Adds a number, below UINT32_MAX; `hash` is that of the thing it stands for. cs_table_reserve() must have made room
 * for it, and the number must not be in the table yet. */
static inline void cs_table_put(struct cs_table *t, uint32_t hash, uint32_t number)
{
    assert(4 * (uint64_t)t->n < 3 * (uint64_t)t->nslots && number < UINT32_MAX);
    uint32_t at = cs_table_first(t, hash);
    for (; t->slot[at]; at = cs_table_next(t, at))
        assert(t->slot[at] != number + 1);
    t->slot[at] = number + 1;
    t->n++;
}

/* Makes room for one more number. If the table has to grow for that, hash_of(what, number) is called for each number in
 * it. False when memory is out, or 2^31 slots are not enough; the table is then unchanged. */
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

/* Takes all numbers out, and keeps the slots for the next ones. */
static inline void cs_table_clear(struct cs_table *t)
{
    if (t->nslots)
        memset(t->slot, 0, t->nslots * sizeof *t->slot);
    t->n = 0;
}

/* Frees the slots. The table is empty then, and may be filled again. */
static inline void cs_table_free(struct cs_table *t)
{
    free(t->slot);
    t->slot = NULL;
    t->nslots = t->n = 0;
}

#endif
