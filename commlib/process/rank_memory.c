/* SPDX-License-Identifier: BSD-3-Clause
 * Stands in for malloc() and its family within one of our libraries (the linker's --wrap): lists of free blocks by
 * size, and what was never used from the area's beginning on. What is too large, or more than the area has, comes from
 * the C library. */
#include "commlib/process/rank_memory.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/single_threaded.h>

enum {
    AREA = 256 << 10,
    UNIT = 16,
    HEAD = 8,
    FINE = 256,
    FINE_CLASSES = FINE / UNIT,
    CLASSES = FINE_CLASSES + 4 * 7,
    LARGEST = (32 << 10) - HEAD
};

/* A block: its class, then what the caller sees, aligned to UNIT. Blocks are named by where they begin in the area. */
static unsigned char area[AREA] __attribute__((section(".bss.area"), aligned(UNIT)));
static uint32_t top = UNIT - HEAD; /* what is behind was never given out, or given back */
static uint32_t used;              /* bytes that were ever given out: what is behind is zero */
static uint32_t idle[CLASSES];     /* the last freed block of each class, 0: none */
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

/* Up to FINE bytes a class for each UNIT, then four for each power of two. */
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

/* NULL if the area cannot serve it. *dirty: so many bytes of it, from its beginning on, may not be zero. */
static void *take(size_t n, size_t *dirty)
{
    if (!on || n > LARGEST)
        return NULL;
    uint32_t class = class_of(n), bytes = class_bytes(class), block = idle[class];
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

/* The last block goes back to what is behind it, the others to their list. */
static void give(void *p)
{
    uint32_t block = block_of(p), class = *word(block, 0);
    lock();
    if (block + class_bytes(class) == top) {
        top = block;
    } else {
        *word(block, HEAD) = idle[class];
        idle[class] = block;
    }
    unlock();
}

/* Arrays that grow are often the last block. */
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
