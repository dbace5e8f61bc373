/* SPDX-License-Identifier: BSD-3-Clause
 * Tables from handles to objects: an array that doubles, with the free slots chained through it.
 * Freed handles are given out again, last one first, as MPICH does. */
#include "emulate/world/handles.h"

#include <assert.h>
#include <stdlib.h>

#include "base/grow.h"

#define DIRECT 0x80000000u
#define INDEX_BITS 0x03ffffffu
#define NONE UINT32_MAX

int cs_emu_handle_new(struct cs_emu_table *t, void *object)
{
    uint32_t i = t->free;

    assert(object && !((uintptr_t)object & 1)); /* an odd value is a free slot */

    if (i != NONE) {
        assert((uintptr_t)t->slots[i] & 1);
        t->free = (uint32_t)((uintptr_t)t->slots[i] >> 1);
    } else {
        if (t->first + t->used > INDEX_BITS || !CS_MAKE_ROOM(t->slots, t->used, t->size))
            return 0;
        i = t->used++;
    }
    assert(i < t->used);
    t->slots[i] = object;
    return (int)(DIRECT | t->kind | (t->first + i));
}

static bool slot_of(const struct cs_emu_table *t, int handle, uint32_t *slot)
{
    uint32_t h = (uint32_t)handle, i = (h & INDEX_BITS) - t->first;

    *slot = i;
    return (h & ~INDEX_BITS) == (DIRECT | t->kind) && i < t->used && !((uintptr_t)t->slots[i] & 1);
}

void *cs_emu_handle_get(const struct cs_emu_table *t, int handle)
{
    uint32_t i;

    return slot_of(t, handle, &i) ? t->slots[i] : NULL;
}

void cs_emu_handle_drop(struct cs_emu_table *t, int handle)
{
    uint32_t i;

    if (!slot_of(t, handle, &i))
        return;
    t->slots[i] = (void *)(((uintptr_t)t->free << 1) | 1);
    t->free = i;
}
