/* SPDX-License-Identifier: BSD-3-Clause
 * The heap in shared memory. Free blocks are kept by size class in stacks without locks (Treiber's, with a tag that
 * changes with each pop, so that a block that was taken and came back in between is noticed): a rank that is killed
 * leaves no lock behind. Blocks that were never used are cut off the upper end of the unused part (`bump`). */
#define _GNU_SOURCE
#include "emulate/world/shared_heap.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

#include "emulate/world/shared_memory.h"
#include "emulate/world/world.h"

/* A block: its head, and what the caller gets. All of it is class_bytes(class) long. */
struct block {
    _Atomic uint64_t next; /* offset of the next free block; 0: none */
    uint32_t class;
    uint32_t unused;
    char data[];
};

/* The least block, a page, where the tag begins in a list's head, and from which size on pages are given back. */
enum { UNIT = 64, PAGE = 4096, TAG_SHIFT = 40, LARGE = 1 << 18 };
#define OFFSET_MASK ((UINT64_C(1) << TAG_SHIFT) - 1)
#define ONE_TAG (UINT64_C(1) << TAG_SHIFT)
#define KEEP_IDLE (INT64_C(64) << 20)

/* Two classes for each power of two: UNIT, 1.5 UNIT, 2 UNIT, 3 UNIT ... */
static uint64_t class_bytes(uint32_t class)
{
    uint64_t base = (uint64_t)UNIT << class / 2;
    return class % 2 ? base + base / 2 : base;
}

/* The least class whose blocks have so many bytes. */
static uint32_t class_of(uint64_t bytes)
{
    if (bytes <= UNIT)
        return 0;
    uint32_t log = 63 - (uint32_t)__builtin_clzll((bytes - 1) / UNIT); /* UNIT << log < bytes <= UNIT << (log + 1) */
    uint32_t class = bytes <= class_bytes(2 * log + 1) ? 2 * log + 1 : 2 * log + 2;
    assert(class_bytes(class) >= bytes && class_bytes(class - 1) < bytes);
    return class;
}

static struct block *block_at(uint64_t offset)
{
    return (struct block *)(cs_emu_world->heap + offset);
}

static struct block *pop(_Atomic uint64_t *head)
{
    uint64_t old = atomic_load(head), new;
    do {
        uint64_t at = old & OFFSET_MASK;
        if (!at)
            return NULL;
        /* Another rank may own the block already and have written over `next`: then the tag has changed, too. */
        new = (block_at(at)->next & OFFSET_MASK) | ((old & ~OFFSET_MASK) + ONE_TAG);
    } while (!atomic_compare_exchange_weak(head, &old, new));
    return block_at(old & OFFSET_MASK);
}

static void push(_Atomic uint64_t *head, struct block *b)
{
    uint64_t at = (uint64_t)((char *)b - cs_emu_world->heap);
    assert(at > 0 && at <= OFFSET_MASK);
    uint64_t old = atomic_load(head), new;
    do {
        b->next = old & OFFSET_MASK;
        new = at | ((old & ~OFFSET_MASK) + ONE_TAG);
    } while (!atomic_compare_exchange_weak(head, &old, new));
}

/* A block from the part that was never used. NULL: there is none. */
static struct block *cut_block(uint64_t size)
{
    int64_t at = atomic_fetch_sub(&cs_emu_world->bump, (int64_t)size) - (int64_t)size;
    return at > 0 ? block_at((uint64_t)at) : NULL; /* offset 0 stands for no block */
}

void *cs_emu_alloc(size_t bytes)
{
    uint32_t class = class_of(bytes + sizeof(struct block));
    uint64_t size = class_bytes(class);
    if (class >= CS_EMU_CLASSES)
        cs_emu_fail("no memory for a message of %zu bytes", bytes);
    assert(size >= bytes + sizeof(struct block));
    struct block *b = pop(&cs_emu_world->free[class]);
    if (b && size >= LARGE)
        atomic_fetch_sub(&cs_emu_world->idle, (int64_t)size);
    else if (!b && !(b = cut_block(size)))
        cs_emu_fail("no memory for a message of %zu bytes", bytes);
    b->class = class;
    atomic_fetch_add_explicit(&cs_emu_world->in_use, (int64_t)size, memory_order_relaxed);
    return b->data;
}

/* Gives the pages of a large free block back to the kernel. */
static void drop_pages(struct block *b, uint64_t size)
{
    uintptr_t from = ((uintptr_t)b->data + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t to = ((uintptr_t)b + size) & ~(uintptr_t)(PAGE - 1);
    if (to > from)
        madvise((void *)from, to - from, MADV_REMOVE);
}

void *cs_emu_alloc_clear(size_t bytes)
{
    char *p = cs_emu_alloc(bytes);
    struct block *b = (struct block *)(p - offsetof(struct block, data));
    uint64_t size = class_bytes(b->class);
    if (size < LARGE) {
        memset(p, 0, bytes);
        return p;
    }
    /* Whole pages come back as zeros; what lies in front of and behind them is cleared here. */
    char *first = (char *)(((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
    char *end = (char *)(((uintptr_t)b + size) & ~(uintptr_t)(PAGE - 1));
    drop_pages(b, size);
    memset(p, 0, (size_t)(first - p));
    if (p + bytes > end)
        memset(end, 0, (size_t)(p + bytes - end));
    return p;
}

void cs_emu_free(void *p)
{
    struct block *b = (struct block *)((char *)p - offsetof(struct block, data));
    assert(b->class < CS_EMU_CLASSES);
    uint64_t size = class_bytes(b->class);
    atomic_fetch_sub_explicit(&cs_emu_world->in_use, (int64_t)size, memory_order_relaxed);
    if (size >= LARGE && atomic_fetch_add(&cs_emu_world->idle, (int64_t)size) > KEEP_IDLE)
        drop_pages(b, size);
    push(&cs_emu_world->free[b->class], b);
}
