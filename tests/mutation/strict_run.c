/* SPDX-License-Identifier: BSD-3-Clause
 * What tests/mutation.sh preloads, so that luck does not hide a fault: an allocator without slack, where a page that
 * nobody may touch begins behind each block, a freed block is gone and fresh memory holds a pattern. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, POISON = 0x4d, WORD = 8 };
#define VISIBLE __attribute__((visibility("default")))

/* At the beginning of a mapping; the block is at its end, in front of the guard. */
struct head {
    size_t length, size; /* of the mapping, of the block */
};

/* Where a block of this size must lie: what the compiler may count on, but no more than the size itself says. */
static size_t alignment_of(size_t size)
{
    return size % 16 == 0 ? 16 : size % 8 == 0 || size > 16 ? 8 : size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
}

static void *block(size_t size, size_t alignment, int fill)
{
    size_t room = (size + alignment - 1) / alignment * alignment;
    size_t length = (sizeof(struct head) + room + alignment + PAGE - 1) / PAGE * PAGE;
    if (size > PTRDIFF_MAX / 2) {
        errno = ENOMEM;
        return NULL;
    }
    char *p = mmap(NULL, length + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED || mprotect(p + length, PAGE, PROT_NONE) != 0) {
        errno = ENOMEM;
        return NULL;
    }
    char *b = p + length - room;
    struct head h = {length, size};
    /* The head is in front of the block, not at the beginning of the mapping, so that it is found again. */
    memcpy(b - sizeof h, &h, sizeof h);
    /* Words that differ: with equal ones, a range whose ends nobody has set would be empty. */
    for (size_t k = 0; fill && k * WORD < size && k * WORD < 1 << 20; k++)
        memset(b + k * WORD, fill + (int)(k % 32), size - k * WORD < WORD ? size - k * WORD : WORD);
    memset(b + size, POISON, room - size);
    return b;
}

static struct head head_of(void *b)
{
    struct head h;
    memcpy(&h, (char *)b - sizeof h, sizeof h);
    return h;
}

VISIBLE void *malloc(size_t size)
{
    return block(size, alignment_of(size), POISON);
}

VISIBLE void *calloc(size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return block(all, alignment_of(all), 0);
}

/* Bytes behind the block that only alignment has made room for must be as they were. */
VISIBLE void free(void *b)
{
    if (!b)
        return;
    struct head h = head_of(b);
    for (const unsigned char *p = (unsigned char *)b + h.size; (uintptr_t)p % PAGE; p++)
        if (*p != POISON)
            __builtin_trap();
    /* The guard. */
    char *end = (char *)(((uintptr_t)b + h.size + PAGE - 1) / PAGE * PAGE);
    munmap(end - h.length, h.length + PAGE);
}

VISIBLE void *realloc(void *old, size_t size)
{
    if (!old)
        return malloc(size);
    if (size == 0) { /* as glibc's */
        free(old);
        return NULL;
    }
    struct head h = head_of(old);
    void *b = malloc(size);
    if (b) {
        memcpy(b, old, h.size < size ? h.size : size);
        free(old);
    }
    return b;
}

VISIBLE void *memalign(size_t alignment, size_t size)
{
    return block(size, alignment < 16 ? 16 : alignment, POISON);
}

VISIBLE void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

VISIBLE int posix_memalign(void **b, size_t alignment, size_t size)
{
    *b = memalign(alignment, size);
    return *b ? 0 : ENOMEM;
}

VISIBLE size_t malloc_usable_size(void *b)
{
    return b ? head_of(b).size : 0;
}
