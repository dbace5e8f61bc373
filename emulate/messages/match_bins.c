/* SPDX-License-Identifier: BSD-3-Clause
 * Bins in a hash table; see match_bins.h. A wildcard is 0 in the key, which has the pattern as well. */
#include "emulate/messages/match_bins.h"

#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <uthash.h>

#include "emulate/world/world.h"

/* What a bin is found by; source and tag are 0 where the pattern has a wildcard. Hashed byte by byte. */
struct key {
    uint32_t context;
    int32_t source, tag;
    uint32_t pattern;
};

/* A queue, in the hash table of its struct cs_emu_bins. Never empty. */
struct cs_emu_bin {
    struct key key;
    struct cs_emu_link *first, *last;
    UT_hash_handle hh;
};

enum cs_emu_pattern cs_emu_pattern_of(int source, int tag)
{
    return (source == MPI_ANY_SOURCE ? CS_EMU_ANY_SOURCE : 0) | (tag == MPI_ANY_TAG ? CS_EMU_ANY_TAG : 0);
}

/* The bin of this pattern, or NULL; *key becomes its key either way. */
static struct cs_emu_bin *find(const struct cs_emu_bins *b, enum cs_emu_pattern p, uint32_t context, int source,
                               int tag, struct key *key)
{
    struct cs_emu_bin *bin;
    *key = (struct key){context, p & CS_EMU_ANY_SOURCE ? 0 : source, p & CS_EMU_ANY_TAG ? 0 : tag, p};
    HASH_FIND(hh, b->table, key, sizeof *key, bin);
    return bin;
}

void cs_emu_bin_add(struct cs_emu_bins *b, enum cs_emu_pattern p, uint32_t context, int source, int tag,
                    struct cs_emu_link *l, void *what)
{
    struct key key;
    struct cs_emu_bin *bin = find(b, p, context, source, tag, &key);
    if (!bin) {
        if (!(bin = calloc(1, sizeof *bin)))
            cs_emu_fail("no memory to match messages");
        bin->key = key;
        HASH_ADD(hh, b->table, key, sizeof key, bin);
    }
    *l = (struct cs_emu_link){.prev = bin->last, .bin = bin, .what = what};
    *(bin->last ? &bin->last->next : &bin->first) = l;
    bin->last = l;
}

void cs_emu_bin_remove(struct cs_emu_bins *b, struct cs_emu_link *l)
{
    struct cs_emu_bin *bin = l->bin;
    assert(bin && bin->first);
    *(l->prev ? &l->prev->next : &bin->first) = l->next;
    *(l->next ? &l->next->prev : &bin->last) = l->prev;
    l->bin = NULL;
    if (bin->first)
        return;
    HASH_DEL(b->table, bin);
    free(bin);
}

void *cs_emu_bin_first(const struct cs_emu_bins *b, enum cs_emu_pattern p, uint32_t context, int source, int tag)
{
    struct key key;
    const struct cs_emu_bin *bin = find(b, p, context, source, tag, &key);
    assert(!bin || bin->first);
    return bin ? bin->first->what : NULL;
}
