/* SPDX-License-Identifier: BSD-3-Clause
 * How members agree on a context number without waiting: all of them look the same key up in a table in shared memory,
 * the first one to come gives it a number, and the last one takes the entry out. */
#include "emulate/objects/context.h"

#include <assert.h>
#include <stdbool.h>

#include "base/mix.h"
#include "emulate/world/shared_heap.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"

/* The numbers that are given out; the bit above is that of CS_EMU_NEIGHBOURS. */
enum { FIRST_CONTEXT = CS_EMU_SELF_CONTEXT + 1, END_OF_CONTEXTS = 0x20000000 };

/* A number that not all members know yet. In shared memory, changed under the lock of its bucket. */
struct shared_context {
    struct shared_context *next; /* in its bucket */
    uint64_t key[2];             /* parent and child, part */
    uint32_t context;
    int32_t users; /* members that have looked it up */
    int32_t members;
};

uint32_t cs_emu_context_of_self(int rank)
{
    return CS_EMU_SELF_CONTEXT + ((uint32_t)rank << 8 | 0x80000000u);
}

static uint32_t new_number(void)
{
    uint32_t context = FIRST_CONTEXT + atomic_fetch_add(&cs_emu_world->contexts, 1);
    assert(context < END_OF_CONTEXTS);
    return context;
}

/* What is agreed on, by whoever makes it. */
static uint32_t taped(uint32_t context)
{
    cs_emu_tape_add((struct cs_emu_tape_item){.kind = CS_EMU_TAPE_CONTEXT, .context = context}, NULL);
    return context;
}

uint32_t cs_emu_context_new(void)
{
    return cs_emu_tape_plays() ? cs_emu_tape_take_context() : taped(new_number());
}

/* The link to the entry of this key; *link is NULL if there is none. */
static struct shared_context **find(struct shared_context **link, const uint64_t key[2])
{
    while (*link && ((*link)->key[0] != key[0] || (*link)->key[1] != key[1]))
        link = &(*link)->next;
    return link;
}

static struct shared_context *make(const uint64_t key[2], int members)
{
    struct shared_context *e = cs_emu_alloc(sizeof *e);
    *e = (struct shared_context){.key = {key[0], key[1]}, .context = new_number(), .members = members};
    return e;
}

uint32_t cs_emu_context(uint32_t parent, uint32_t child, uint64_t part, int members)
{
    uint64_t key[2] = {(uint64_t)parent << 32 | child, part};
    if (cs_emu_tape_plays())
        return cs_emu_tape_take_context();
    struct cs_emu_bucket *b = &cs_emu_world->context_bucket[cs_mix(key[0] ^ cs_mix(part)) % CS_EMU_BUCKETS];
    cs_emu_lock(&b->lock);
    struct shared_context *first = b->first, **link = find(&first, key);
    if (!*link)
        *link = make(key, members);
    struct shared_context *e = *link;
    uint32_t context = e->context;
    assert(e->users < e->members);
    if (++e->users == e->members) {
        *link = e->next;
        cs_emu_free(e);
    }
    b->first = first;
    cs_emu_unlock(&b->lock);
    return taped(context);
}
