/* SPDX-License-Identifier: BSD-3-Clause
 * The writer's alphabet: an open-addressing hash table over events. It is not base/table.h, because one lookup is most
 * of what recording an event costs: bits of the hash beside the number spare the look at most other symbols. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "trace/format/symbols.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "trace/format/format.h"

#define SHORT_EVENT 24 /* up to here a multiply per field beats a call of XXH3 */

static inline uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 p = (unsigned __int128)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

uint64_t cs_symbols_hash(const struct cs_event *e)
{
    uint64_t head = (uint64_t)(uint32_t)e->site << 32 | (uint32_t)e->call << 2 | (uint32_t)e->mark;
    uint64_t h = mix(head ^ 0x9e3779b97f4a7c15u, (uint64_t)e->nfields ^ 0xd6e8feb86659fd93u);
    if (e->nfields > SHORT_EVENT)
        return XXH3_64bits_withSeed(e->fields, (size_t)e->nfields * sizeof *e->fields, h);
    for (int i = 0; i < e->nfields; i++)
        h = mix(h ^ (uint64_t)e->fields[i], 0xa0761d6478bd642fu);
    return h;
}

static inline bool same(const struct cs_symbols *t, const struct cs_symbol *l, const struct cs_event *e)
{
    if (l->call != e->call || l->site != e->site || l->mark != e->mark || l->nfields != e->nfields)
        return false;
    const int64_t *f = t->arena + l->first;
    for (int i = 0; i < e->nfields; i++)
        if (f[i] != e->fields[i])
            return false;
    return true;
}

bool cs_symbols_is(const struct cs_symbols *t, uint32_t symbol, const struct cs_event *e)
{
    return symbol < t->n && same(t, &t->symbol[symbol], e);
}

/* A slot of the hash: symbols fit in as many bits as slots have numbers, so the bits above them say that it is another
 * symbol, mostly, without a look at it. */
static inline uint32_t tag_of(const struct cs_symbols *t, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & ~(t->nslots - 1);
}

int64_t cs_symbols_find(const struct cs_symbols *t, const struct cs_event *e, uint64_t hash)
{
    if (t->nslots == 0)
        return -1;
    uint32_t mask = t->nslots - 1, tag = tag_of(t, hash);
    for (uint32_t s = (uint32_t)hash & mask; t->slot[s]; s = (s + 1) & mask) {
        uint32_t l = (t->slot[s] & mask) - 1;
        if ((t->slot[s] & ~mask) == tag && t->symbol[l].hash == hash && same(t, &t->symbol[l], e))
            return l;
    }
    return -1;
}

static void occupy(struct cs_symbols *t, uint64_t hash, uint32_t symbol)
{
    uint32_t s = (uint32_t)hash & (t->nslots - 1);
    while (t->slot[s])
        s = (s + 1) & (t->nslots - 1);
    t->slot[s] = tag_of(t, hash) | (symbol + 1);
}

static int grow_slots(struct cs_symbols *t)
{
    uint32_t n = t->nslots ? 2 * t->nslots : 16;
    assert((n & (n - 1)) == 0 && n > t->n);
    uint32_t *slot = calloc(n, sizeof *slot);
    if (!slot)
        return -1;
    free(t->slot);
    t->slot = slot;
    t->nslots = n;
    for (uint32_t i = 0; i < t->n; i++)
        occupy(t, t->symbol[i].hash, i);
    return 0;
}

int cs_symbols_add(struct cs_symbols *t, const struct cs_event *e, uint64_t hash)
{
    uint32_t n = (uint32_t)e->nfields;
    assert(e->nfields >= 0 && e->nfields <= CS_MAX_FIELDS && t->n < CS_NO_SYMBOL - 1);
    if (!CS_MAKE_ROOM(t->symbol, t->n, t->cap) || !CS_MAKE_ROOM_FOR(t->arena, t->nfields + n, t->arena_cap))
        return -1;
    if (2 * (t->n + 1) > t->nslots && grow_slots(t))
        return -1;
    if (n)
        memcpy(t->arena + t->nfields, e->fields, n * sizeof *e->fields);
    t->symbol[t->n] = (struct cs_symbol){hash, e->call, e->site, e->mark, e->nfields, t->nfields, CS_NO_SYMBOL};
    t->nfields += n;
    occupy(t, hash, t->n++);
    return 0;
}

bool cs_symbols_full(const struct cs_symbols *t, const struct cs_event *e)
{
    return t->n > 0 && (t->n >= CS_EPOCH_SYMBOLS || t->nfields + (uint32_t)e->nfields > CS_EPOCH_FIELDS);
}

void cs_symbols_reset(struct cs_symbols *t)
{
    if (t->nslots)
        memset(t->slot, 0, t->nslots * sizeof *t->slot);
    t->n = t->nfields = 0;
    if (t->arena_cap > 2 * CS_EPOCH_FIELDS) { /* one event of very many fields: do not keep its room */
        free(t->arena);
        t->arena = NULL;
        t->arena_cap = 0;
    }
}

void cs_symbols_free(struct cs_symbols *t)
{
    free(t->symbol);
    free(t->slot);
    free(t->arena);
    *t = (struct cs_symbols){0};
}
