/* SPDX-License-Identifier: BSD-3-Clause
 * A table of lists of integers, by content; see interned.h. */
#include "trace/merge/interned.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "trace/merge/merge_internal.h"

static uint32_t hash_list(const uint32_t *v, uint32_t n)
{
    return (uint32_t)XXH3_64bits(v, n * sizeof *v);
}

static uint32_t hash_of(const void *table, uint32_t number)
{
    const struct cs_interned *t = table;
    return hash_list(t->arena + t->entry[number].first, t->entry[number].n);
}

int64_t cs_intern(struct cs_interned *t, const uint32_t *v, uint32_t n)
{
    uint32_t hash = hash_list(v, n);
    int64_t i;
    for (uint32_t at = cs_table_first(&t->by_content, hash); (i = cs_table_at(&t->by_content, at)) >= 0;
         at = cs_table_next(&t->by_content, at))
        if (t->entry[i].n == n && memcmp(t->arena + t->entry[i].first, v, n * sizeof *v) == 0)
            return i;
    if (!cs_table_reserve(&t->by_content, hash_of, t) || !CS_MAKE_ROOM(t->entry, t->n, t->cap) ||
        !CS_MAKE_ROOM_FOR(t->arena, t->arena_n + n, t->arena_cap))
        return -1;
    memcpy(t->arena + t->arena_n, v, n * sizeof *v);
    t->entry[t->n].first = t->arena_n;
    t->entry[t->n].n = n;
    t->arena_n += n;
    cs_table_put(&t->by_content, hash, t->n);
    return t->n++;
}

void cs_interned_free(struct cs_interned *t)
{
    cs_table_free(&t->by_content);
    free(t->entry);
    free(t->arena);
}
