/* SPDX-License-Identifier: BSD-3-Clause
 * The shared mapping, and locks in it.
 * shared_heap.c gives out what lies below the world. */
#define _GNU_SOURCE
#include "emulate/world/shared_memory.h"

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct cs_emu_world *cs_emu_world;
struct cs_emu_rank *cs_emu_me;

/* Bytes of a page of memory. */
enum { PAGE = 4096 };
#define MOST_BYTES (UINT64_C(1) << 40)
#define LEAST_HEAP (64 << 20)

/* A mapping of up to *size bytes, but more than `least`; less if the machine does not allow that. NULL: none. */
static char *map_shared(uint64_t *size, size_t least)
{
    void *p = MAP_FAILED;
    while (p == MAP_FAILED && *size > least) {
        p = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            *size /= 2;
    }
    return p == MAP_FAILED ? NULL : p;
}

/* The world is at the upper end, and the heap grows downwards from it: the kernel puts the mapping right below the
 * libraries, and so what all ranks touch shares page tables with these. */
int cs_emu_shared_make(int nranks, int jobs)
{
    assert(nranks > 0 && jobs > 0);
    size_t head =
        (sizeof(struct cs_emu_world) + (size_t)nranks * sizeof(struct cs_emu_rank) + PAGE - 1) & ~(size_t)(PAGE - 1);
    uint64_t size = MOST_BYTES;
    char *mapping = map_shared(&size, head + LEAST_HEAP);
    if (!mapping)
        return -1;
    cs_emu_world = (struct cs_emu_world *)(mapping + size - head);
    cs_emu_world->nranks = nranks;
    cs_emu_world->jobs = jobs;
    cs_emu_world->end = cs_emu_world->unborn = nranks;
    cs_emu_world->heap = mapping;
    cs_emu_world->bump = (int64_t)(size - head);
    return 0;
}

/* ---- locks: Drepper's second mutex ("Futexes are tricky", 2011): 1 taken, 2 taken and somebody sleeps ---- */

/* Attempts before a rank sleeps on a lock. */
enum { LOCK_SPINS = 50 };

void cs_emu_lock(_Atomic uint32_t *lock)
{
    uint32_t was = 0;
    for (int i = 0; i < LOCK_SPINS; i++, was = 0) {
        if (atomic_compare_exchange_strong(lock, &was, 1))
            return;
        __builtin_ia32_pause();
    }
    while (atomic_exchange(lock, 2) != 0)
        syscall(SYS_futex, lock, FUTEX_WAIT, 2, NULL, NULL, 0);
}

void cs_emu_unlock(_Atomic uint32_t *lock)
{
    uint32_t was = atomic_exchange(lock, 0);
    assert(was == 1 || was == 2);
    if (was == 2)
        syscall(SYS_futex, lock, FUTEX_WAKE, 1, NULL, NULL, 0);
}
