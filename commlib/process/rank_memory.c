/* SPDX-License-Identifier: BSD-3-Clause
 * Replaces malloc() and its family in one of our libraries (the linker's --wrap). Blocks come from a static area: from
 * a list of freed blocks of their size class, or else from the area's unused end. Blocks that are too large for the
 * area, or find it full, come from the C library. */
#include "commlib/process/rank_memory.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/single_threaded.h>

/* Bytes of the area, of the unit of alignment and of a block's head. Blocks of up to FINE bytes have a class for each
 * UNIT, larger ones four for each doubling: class_bytes. */
enum {
    AREA = 256 << 10,
    UNIT = 16,
    HEAD = 8,
    FINE = 256,
    FINE_CLASSES = FINE / UNIT,
    CLASSES = FINE_CLASSES + 4 * 7,
    LARGEST = (32 << 10) - HEAD
};

/* A block is named by its offset in the area. It begins 8 bytes before a multiple of UNIT:
 *
 *     | class, 4 bytes | unused, 4 bytes | the caller's memory, aligned to UNIT |
 *
 * In a freed block the caller's memory begins with the offset of the next one in the list. */
static unsigned char area[AREA] __attribute__((section(".bss.area"), aligned(UNIT)));
static uint32_t top = UNIT - HEAD; /* no block from here on is in use or in a list */
static uint32_t used;              /* the highest value of top so far: the area is zero from here on */
static uint32_t idle[CLASSES];     /* by class, the head of the list of freed blocks; 0: none */
static bool on;
static atomic_flag busy = ATOMIC_FLAG_INIT;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void __wrap_free(void *p);

void cs_rank_memory_start(void)
{
    on = true;
}

static void lock(void)
{
    if (!__libc_single_threaded)
        while (atomic_flag_test_and_set(&busy))
            sched_yield();
}

static void unlock(void)
{
    if (!__libc_single_threaded)
        atomic_flag_clear(&busy);
}

/* The size of the blocks of a class, head included: 16, 32, 48 ... 256, then four classes for each doubling: 320, 384,
 * 448, 512, 640 ... */
static uint32_t class_bytes(uint32_t class)
{
    uint32_t c = class - FINE_CLASSES;
    return class < FINE_CLASSES ? (class + 1) * UNIT : (uint32_t)FINE / 4 * (c % 4 + 5) << c / 4;
}

static uint32_t class_of(size_t n)
{
    uint32_t bytes = (uint32_t)n + HEAD;
    if (bytes <= FINE)
        return (bytes - 1) / UNIT;
    uint32_t log = 31 - (uint32_t)__builtin_clz(bytes - 1); /* 2^log < bytes <= 2^(log + 1) */
    return FINE_CLASSES + 4 * (log - 8) + (((bytes - 1) >> (log - 2)) & 3);
}

static uint32_t *word(uint32_t block, uint32_t at)
{
    return (uint32_t *)(void *)(area + block + at);
}

static bool is_ours(const void *p)
{
    return (uintptr_t)p - (uintptr_t)area < AREA;
}

static uint32_t block_of(const void *p)
{
    return (uint32_t)((const unsigned char *)p - area) - HEAD;
}

/* A block for n bytes, or NULL if the area cannot give one. Its first *dirty bytes may be other than zero. */
static void *take(size_t n, size_t *dirty)
{
    if (!on || n > LARGEST)
        return NULL;
    uint32_t class = class_of(n), bytes = class_bytes(class), block = idle[class];
    assert(class < CLASSES && bytes >= n + HEAD);
    *dirty = n;
    if (block) {
        idle[class] = *word(block, HEAD);
    } else {
        block = top;
        if (bytes > AREA - block)
            return NULL;
        top += bytes;
        *dirty = used > block + HEAD ? used - block - HEAD : 0;
        used = used > top ? used : top;
    }
    *word(block, 0) = class;
    return area + block + HEAD;
}

static void *take_locked(size_t n, size_t *dirty)
{
    lock();
    void *p = take(n, dirty);
    unlock();
    return p;
}

/* Frees a block: the last one before `top` lowers it, any other goes to the list of its class. */
static void give(void *p)
{
    uint32_t block = block_of(p), class = *word(block, 0);
    assert(class < CLASSES && block % UNIT == UNIT - HEAD);
    lock();
    if (block + class_bytes(class) == top) {
        top = block;
    } else {
        *word(block, HEAD) = idle[class];
        idle[class] = block;
    }
    unlock();
}

/* Enlarges a block in place, to n bytes, if it is the last one before `top`, as a growing array often is. */
static bool grow_last(uint32_t block, size_t n)
{
    if (n > LARGEST)
        return false;
    uint32_t class = class_of(n), end = block + class_bytes(class);
    lock();
    bool last = block + class_bytes(*word(block, 0)) == top && end <= AREA;
    if (last) {
        *word(block, 0) = class;
        top = end;
        used = used > top ? used : top;
    }
    unlock();
    return last;
}

void *__wrap_malloc(size_t n)
{
    size_t dirty;
    void *p = take_locked(n, &dirty);
    return p ? p : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    size_t bytes, dirty;
    void *p = __builtin_mul_overflow(n, size, &bytes) ? NULL : take_locked(bytes, &dirty);
    if (!p)
        return __real_calloc(n, size);
    memset(p, 0, dirty < bytes ? dirty : bytes);
    return p;
}

void *__wrap_realloc(void *p, size_t n)
{
    if (!p)
        return __wrap_malloc(n);
    if (!is_ours(p))
        return __real_realloc(p, n);
    uint32_t block = block_of(p);
    size_t had = class_bytes(*word(block, 0)) - HEAD;
    if (n <= had || grow_last(block, n))
        return p;
    void *q = __wrap_malloc(n);
    if (q) {
        memcpy(q, p, had);
        give(p);
    }
    return q;
}

void __wrap_free(void *p)
{
    if (p && is_ours(p))
        give(p);
    else
        __real_free(p);
}
