/* SPDX-License-Identifier: BSD-3-Clause
 * A table of lists of integers, by content: open addressing over an arena. */
#include "trace/merge/interned.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "trace/merge/merge_internal.h"

static int rehash(struct cs_interned *t)
{
    uint32_t nslots = t->nslots ? 2 * t->nslots : 256, *slot = calloc(nslots, sizeof *slot);
    if (!slot)
        return -1;
    for (uint32_t i = 0; i < t->n; i++) {
        uint64_t at = XXH3_64bits(t->arena + t->entry[i].first, t->entry[i].n * sizeof *t->arena);
        while (slot[at & (nslots - 1)])
            at++;
        slot[at & (nslots - 1)] = i + 1;
    }
    free(t->slot);
    t->slot = slot;
    t->nslots = nslots;
    return 0;
}

int64_t cs_intern(struct cs_interned *t, const uint32_t *v, uint32_t n)
{
    if (2 * t->n >= t->nslots && rehash(t))
        return -1;
    uint64_t at = XXH3_64bits(v, n * sizeof *v);
    for (; t->slot[at & (t->nslots - 1)]; at++) {
        uint32_t i = t->slot[at & (t->nslots - 1)] - 1;
        if (t->entry[i].n == n && memcmp(t->arena + t->entry[i].first, v, n * sizeof *v) == 0)
            return i;
    }
    if (!CS_MAKE_ROOM_FOR(t->entry, t->n + 1, t->cap) || !CS_MAKE_ROOM_FOR(t->arena, t->arena_n + n, t->arena_cap))
        return -1;
    memcpy(t->arena + t->arena_n, v, n * sizeof *v);
    t->entry[t->n].first = t->arena_n;
    t->entry[t->n].n = n;
    t->arena_n += n;
    t->slot[at & (t->nslots - 1)] = t->n + 1;
    return t->n++;
}

void cs_interned_free(struct cs_interned *t)
{
    free(t->slot);
    free(t->entry);
    free(t->arena);
}
