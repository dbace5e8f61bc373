/* SPDX-License-Identifier: BSD-3-Clause
 * The shared mapping and its heap. Free blocks are kept by size class in stacks without locks (Treiber's, with a tag
 * against reuse in between), so that a rank that is killed leaves no lock behind; what was never used comes from one
 * counter. */
#define _GNU_SOURCE
#include "emulate/world/shared_memory.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "emulate/messages/flow.h"
#include "emulate/world/world.h"

struct cs_emu_world *cs_emu_world;
struct cs_emu_rank *cs_emu_me;

struct block {
    _Atomic uint64_t next; /* offset of the next free block */
    uint32_t class;
    uint32_t unused;
    char data[];
};

enum { UNIT = 64, PAGE = 4096, TAG_SHIFT = 40, LARGE = 1 << 18 };
#define OFFSET_MASK ((UINT64_C(1) << TAG_SHIFT) - 1)
#define KEEP_IDLE (INT64_C(64) << 20)

static char *mapping; /* offsets count from its beginning */

/* The world is at the upper end, and the heap grows downwards from it: the kernel puts the mapping right below the
 * libraries, and so what all ranks touch shares page tables with these. */
int cs_emu_shared_make(int nranks, int jobs)
{
    uint64_t size = UINT64_C(1) << 40;
    void *p = MAP_FAILED;
    size_t head =
        (sizeof(struct cs_emu_world) + (size_t)nranks * sizeof(struct cs_emu_rank) + PAGE - 1) & ~(size_t)(PAGE - 1);
    while (p == MAP_FAILED && size > head + (64 << 20)) {
        p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            size /= 2;
    }
    if (p == MAP_FAILED)
        return -1;
    mapping = p;
    cs_emu_world = (struct cs_emu_world *)(mapping + size - head);
    cs_emu_world->nranks = nranks;
    cs_emu_world->jobs = jobs;
    cs_emu_world->unborn = nranks;
    cs_emu_world->backlog_limit = cs_emu_flow_limit(nranks);
    cs_emu_world->bump = (int64_t)(size - head);
    return 0;
}

/* Two classes for each power of two: UNIT, 1.5 UNIT, 2 UNIT, 3 UNIT ... */
static uint64_t class_bytes(uint32_t class)
{
    uint64_t base = (uint64_t)UNIT << class / 2;
    return class % 2 ? base + base / 2 : base;
}

static uint32_t class_of(uint64_t bytes)
{
    if (bytes <= UNIT)
        return 0;
    uint32_t log = 63 - (uint32_t)__builtin_clzll((bytes - 1) / UNIT); /* UNIT << log < bytes <= UNIT << (log + 1) */
    return bytes <= class_bytes(2 * log + 1) ? 2 * log + 1 : 2 * log + 2;
}

static struct block *block_at(uint64_t offset)
{
    return (struct block *)(mapping + offset);
}

static struct block *pop(_Atomic uint64_t *head)
{
    uint64_t old = atomic_load(head), new;
    do {
        uint64_t at = old & OFFSET_MASK;
        if (!at)
            return NULL;
        /* Another rank may own the block already and have written over `next`: then the tag has changed, too. */
        new = (block_at(at)->next & OFFSET_MASK) | ((old & ~OFFSET_MASK) + (UINT64_C(1) << TAG_SHIFT));
    } while (!atomic_compare_exchange_weak(head, &old, new));
    return block_at(old & OFFSET_MASK);
}

static void push(_Atomic uint64_t *head, struct block *b)
{
    uint64_t at = (uint64_t)((char *)b - mapping), old = atomic_load(head), new;
    do {
        b->next = old & OFFSET_MASK;
        new = at | ((old & ~OFFSET_MASK) + (UINT64_C(1) << TAG_SHIFT));
    } while (!atomic_compare_exchange_weak(head, &old, new));
}

void *cs_emu_alloc(size_t bytes)
{
    uint32_t class = class_of(bytes + sizeof(struct block));
    uint64_t size = class_bytes(class);
    struct block *b = class < CS_EMU_CLASSES ? pop(&cs_emu_world->free[class]) : NULL;
    if (b && size >= LARGE) {
        atomic_fetch_sub(&cs_emu_world->idle, (int64_t)size);
    } else if (!b) {
        int64_t at = class < CS_EMU_CLASSES ? atomic_fetch_sub(&cs_emu_world->bump, (int64_t)size) - (int64_t)size : 0;
        if (at <= 0) /* offset 0 stands for no block */
            cs_emu_fail("no memory for a message of %zu bytes", bytes);
        b = block_at((uint64_t)at);
    }
    b->class = class;
    atomic_fetch_add_explicit(&cs_emu_world->in_use, (int64_t)size, memory_order_relaxed);
    return b->data;
}

/* Large blocks that nobody uses shall not hold memory for ever. */
static void drop_pages(struct block *b, uint64_t size)
{
    uintptr_t from = ((uintptr_t)b->data + PAGE - 1) & ~(uintptr_t)(PAGE - 1),
              to = ((uintptr_t)b + size) & ~(uintptr_t)(PAGE - 1);
    if (to > from)
        madvise((void *)from, to - from, MADV_REMOVE);
}

void cs_emu_free(void *p)
{
    struct block *b = (struct block *)((char *)p - offsetof(struct block, data));
    uint64_t size = class_bytes(b->class);
    atomic_fetch_sub_explicit(&cs_emu_world->in_use, (int64_t)size, memory_order_relaxed);
    if (size >= LARGE && atomic_fetch_add(&cs_emu_world->idle, (int64_t)size) > KEEP_IDLE)
        drop_pages(b, size);
    push(&cs_emu_world->free[b->class], b);
}

/* ---- locks: Drepper's second mutex ("Futexes are tricky") ---- */

void cs_emu_lock(_Atomic uint32_t *lock)
{
    uint32_t was = 0;
    for (int i = 0; i < 50; i++, was = 0) {
        if (atomic_compare_exchange_strong(lock, &was, 1))
            return;
        __builtin_ia32_pause();
    }
    while (atomic_exchange(lock, 2) != 0)
        syscall(SYS_futex, lock, FUTEX_WAIT, 2, NULL, NULL, 0);
}

void cs_emu_unlock(_Atomic uint32_t *lock)
{
    if (atomic_exchange(lock, 0) == 2)
        syscall(SYS_futex, lock, FUTEX_WAKE, 1, NULL, NULL, 0);
}
