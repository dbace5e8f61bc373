/* SPDX-License-Identifier: BSD-3-Clause
 * Tables from handles to objects: an array that doubles, with the free slots chained through it.
 * Freed handles are given out again, last one first, as MPICH does. */
#include "emulate/world/handles.h"

#include <stdlib.h>

#define DIRECT 0x80000000u
#define INDEX_BITS 0x03ffffffu
#define NONE UINT32_MAX

static int grow(struct cs_emu_table *t)
{
    uint32_t size = t->size ? 2 * t->size : 16;
    void **slots = realloc(t->slots, size * sizeof *slots);

    if (!slots)
        return -1;
    t->slots = slots;
    t->size = size;
    return 0;
}

int cs_emu_handle_new(struct cs_emu_table *t, void *object)
{
    uint32_t i = t->free;

    if (i != NONE) {
        t->free = (uint32_t)((uintptr_t)t->slots[i] >> 1);
    } else {
        if (t->used == t->size && grow(t) != 0)
            return 0;
        i = t->used++;
    }
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
