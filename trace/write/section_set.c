/* SPDX-License-Identifier: BSD-3-Clause
 * The set of section_set.h: open addressing, entries are only ever added.
 * An entry is claimed by its first word; until its second is there nobody finds it. */
#include "trace/write/section_set.h"

#define PROBES 32u

static uint64_t first_word(struct cs_key k)
{
    return k.lo ? k.lo : 1; /* 0 is an empty entry */
}

bool cs_shared_has(struct cs_shared *s, struct cs_key k)
{
    if (k.hi == 0)
        return false; /* or an entry that is being written would be taken for it */
    for (uint32_t i = 0; i < PROBES; i++) {
        uint32_t at = (uint32_t)(k.hi + i) % CS_SHARED_KEYS;
        uint64_t lo = atomic_load(&s->key[at].lo);
        if (lo == 0)
            return false;
        if (lo == first_word(k) && atomic_load(&s->key[at].hi) == k.hi)
            return true;
    }
    return false;
}

void cs_shared_add(struct cs_shared *s, struct cs_key k)
{
    if (k.hi == 0 || cs_shared_has(s, k))
        return;
    for (uint32_t i = 0; i < PROBES; i++) {
        uint32_t at = (uint32_t)(k.hi + i) % CS_SHARED_KEYS;
        uint64_t empty = 0;
        if (atomic_compare_exchange_strong(&s->key[at].lo, &empty, first_word(k))) {
            atomic_store(&s->key[at].hi, k.hi);
            return;
        }
    }
}
