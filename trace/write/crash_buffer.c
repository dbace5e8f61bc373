/* SPDX-License-Identifier: BSD-3-Clause
 * The slots of crash_buffer.h. Ranks hold a shared lock on the file while they run: who gets the exclusive one knows
 * that all have ended. */
#define _GNU_SOURCE 1
#include "trace/write/crash_buffer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define HALF (32u << 10) /* and what one event of an all-to-all takes */
#define BYTES_PER_RANK 8u
#define MOST_RANKS 1024u /* a slot costs a rank about a millisecond and a piece of disk */

size_t cs_crash_events_cap(uint32_t nranks)
{
    return (HALF + BYTES_PER_RANK * (size_t)nranks) / CS_CRASH_PAGE * CS_CRASH_PAGE;
}

size_t cs_crash_half_at(uint32_t half, size_t cap)
{
    return CS_CRASH_HEAD + CS_CRASH_NEAR + half * cap;
}

size_t cs_crash_far_defs(size_t cap)
{
    return cs_crash_half_at(2, cap);
}

static off_t slot_length(size_t cap)
{
    return (off_t)(CS_CRASH_HEAD + CS_CRASH_DEFS + 2 * cap);
}

char *cs_crash_path(const char *trace)
{
    char *path;
    return asprintf(&path, "%s.live", trace) < 0 ? NULL : path;
}

static struct cs_crash_head *head_of(struct cs_crash_buffer *l)
{
    return (struct cs_crash_head *)l->slot;
}

/* Going beyond the limit on file sizes would be a deadly signal. */
static bool within_limit(uint64_t end)
{
    struct rlimit lim;
    return getrlimit(RLIMIT_FSIZE, &lim) == 0 && (lim.rlim_cur == RLIM_INFINITY || end <= lim.rlim_cur);
}

static void describe(struct cs_crash_buffer *l, const struct cs_block_header *h, size_t cap)
{
    l->events_cap = cap;
    l->slot_len = (size_t)slot_length(cap);
    l->rank = l->number = h->rank;
    l->nranks = h->nranks;
}

int cs_trace_move_up(int fd)
{
    enum { UP = 600 };
    int err = errno, up = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, UP);
    if (up >= 0)
        close(fd);
    errno = err;
    return up < 0 ? fd : up;
}

/* Room on the disk is taken now: a full disk must not be a bus error later. */
static int map_slot(struct cs_crash_buffer *l, const struct cs_block_header *h)
{
    describe(l, h, cs_crash_events_cap(h->nranks));
    off_t at = (off_t)((uint64_t)h->rank * l->slot_len);
    if (!within_limit((uint64_t)at + l->slot_len))
        return -1;
    l->fd = cs_trace_move_up(open(l->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (l->fd < 0 || flock(l->fd, LOCK_SH | LOCK_NB) || fallocate(l->fd, 0, at, (off_t)l->slot_len))
        return -1;
    void *p = mmap(NULL, l->slot_len, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, at);
    if (p == MAP_FAILED)
        return -1;
    l->slot = p;
    return 0;
}

/* The set of sections, behind all slots; room on the disk is taken for it, too. */
static void map_shared(struct cs_crash_buffer *l)
{
    off_t at = (off_t)((uint64_t)l->nranks * l->slot_len);
    if (l->nranks == 1 || !within_limit((uint64_t)at + sizeof *l->shared) || fallocate(l->fd, 0, at, sizeof *l->shared))
        return;
    void *p = mmap(NULL, sizeof *l->shared, PROT_READ | PROT_WRITE, MAP_SHARED, l->fd, at);
    if (p != MAP_FAILED)
        l->shared = p;
}

static void begin_slot(struct cs_crash_buffer *l, const struct cs_block_header *h)
{
    struct cs_crash_head *head = head_of(l);
    l->events = l->slot + cs_crash_half_at(0, l->events_cap);
    head->half = 0;
    head->base[0] = head->done[0] = 0;
    head->defs_len = 0;
    head->rank = h->rank;
    head->nranks = h->nranks;
    head->flags = h->flags & CS_BLOCK_TIMES;
    memcpy(head->magic, CS_CRASH_MAGIC, sizeof head->magic);
}

struct cs_crash_buffer *cs_crash_open(const char *trace, const struct cs_block_header *h)
{
    struct cs_crash_buffer *l = h->nranks <= MOST_RANKS ? calloc(1, sizeof *l) : NULL;
    if (!l)
        return NULL;
    l->fd = -1;
    l->path = cs_crash_path(trace);
    if (!l->path || map_slot(l, h)) {
        if (l->fd >= 0)
            close(l->fd);
        free(l->path);
        free(l);
        return NULL;
    }
    map_shared(l);
    begin_slot(l, h);
    return l;
}

/* ---- slots in memory ---- */

static bool reserved_taken; /* by a slot that is open: what an area reserves for the first slot of this process; not in
                               the area, which ranks shall not write */

/* Treiber's stack of free slots. A slot's memory never goes away, so the head of one that another rank has just taken
 * can still be read; the tag in the upper half of pool->free then makes the exchange fail. */
static uint32_t take_slot(const struct cs_crash_area *a, size_t slot_len)
{
    uint64_t old = atomic_load(&a->pool->free), new;
    do {
        uint32_t next = 0, first = (uint32_t)old;
        if (!first)
            return atomic_fetch_add(&a->pool->fresh, 1);
        off_t at = (off_t)((uint64_t)(first - 1) * slot_len + offsetof(struct cs_crash_head, next_free));
        if (pread(a->fd, &next, sizeof next, at) != sizeof next)
            return atomic_fetch_add(&a->pool->fresh, 1);
        new = (old & ~(uint64_t)UINT32_MAX) + (UINT64_C(1) << 32) + next;
    } while (!atomic_compare_exchange_weak(&a->pool->free, &old, new));
    return (uint32_t)old - 1;
}

static void give_slot(struct cs_crash_buffer *l)
{
    uint64_t old = atomic_load(&l->pool->free), new;
    do {
        atomic_store(&head_of(l)->next_free, (uint32_t)old);
        new = (old & ~(uint64_t)UINT32_MAX) + (UINT64_C(1) << 32) + l->number + 1;
    } while (!atomic_compare_exchange_weak(&l->pool->free, &old, new));
}

int cs_crash_area_make(struct cs_crash_area *a, struct cs_crash_pool *pool, uint32_t nranks)
{
    uint64_t bytes = nranks * (uint64_t)slot_length(CS_CRASH_AREA_HALF);
    a->pool = pool;
    a->fd = within_limit(bytes) ? cs_trace_move_up(memfd_create("commslice crash", MFD_CLOEXEC)) : -1;
    a->reserved = mmap(NULL, (size_t)slot_length(CS_CRASH_AREA_HALF), PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (a->reserved == MAP_FAILED)
        a->reserved = NULL;
    if (a->fd >= 0 && ftruncate(a->fd, (off_t)bytes) == 0)
        return 0;
    cs_crash_area_free(a);
    return -1;
}

void cs_crash_area_free(struct cs_crash_area *a)
{
    if (a->fd >= 0)
        close(a->fd);
    if (a->reserved)
        munmap(a->reserved, (size_t)slot_length(CS_CRASH_AREA_HALF));
    a->fd = -1;
    a->reserved = NULL;
}

struct cs_crash_buffer *cs_crash_open_in(struct cs_crash_area *a, const struct cs_block_header *h)
{
    struct cs_crash_buffer *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    describe(l, h, CS_CRASH_AREA_HALF);
    l->fd = -1;
    l->pool = a->pool;
    l->number = take_slot(a, l->slot_len);
    l->reserved = a->reserved && !reserved_taken;
    l->slot = mmap(l->reserved ? a->reserved : NULL, l->slot_len, PROT_READ | PROT_WRITE,
                   MAP_SHARED | (l->reserved ? MAP_FIXED : 0), a->fd, (off_t)((uint64_t)l->number * l->slot_len));
    if (l->slot == MAP_FAILED) {
        free(l);
        return NULL;
    }
    reserved_taken = reserved_taken || l->reserved;
    begin_slot(l, h);
    return l;
}

/* The addresses that the area reserves stay reserved: only the area unmaps them, and would unmap whatever else had been
 * mapped there meanwhile. */
static void leave_area(struct cs_crash_buffer *l)
{
    if (!l->reserved) {
        munmap(l->slot, l->slot_len);
        return;
    }
    (void)!mmap(l->slot, l->slot_len, PROT_NONE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    reserved_taken = false;
}

/* In place: until the new number is there, what is in the slot has the number of a block that is in the file. */
void cs_crash_begin(struct cs_crash_buffer *l, uint32_t seq)
{
    struct cs_crash_head *head = head_of(l);
    head->base[l->half] = 0;
    head->done[l->half] = 0;
    head->defs_len = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    head->seq = seq;
}

int cs_crash_def(struct cs_crash_buffer *l, size_t at, const void *p, size_t n)
{
    if (n > CS_CRASH_DEFS || at > CS_CRASH_DEFS - n)
        return -1;
    size_t near = at < CS_CRASH_NEAR ? CS_CRASH_NEAR - at : 0;
    near = near < n ? near : n;
    memcpy(l->slot + CS_CRASH_HEAD + at, p, near);
    if (n > near)
        memcpy(l->slot + cs_crash_far_defs(l->events_cap) + at + near - CS_CRASH_NEAR, (const char *)p + near,
               n - near);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    head_of(l)->defs_len = (uint32_t)(at + n);
    return 0;
}

void cs_crash_publish(struct cs_crash_buffer *l, uint32_t len, uint32_t n)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    head_of(l)->done[l->half] = (uint64_t)len << 32 | n;
}

void cs_crash_replace(struct cs_crash_buffer *l, const void *bytes, uint32_t len, uint64_t n)
{
    struct cs_crash_head *head = head_of(l);
    assert(len <= l->events_cap && l->half <= 1);
    l->half ^= 1;
    l->events = l->slot + cs_crash_half_at(l->half, l->events_cap);
    if (len)
        memcpy(l->events, bytes, len);
    head->base[l->half] = n;
    head->done[l->half] = (uint64_t)len << 32;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    head->half = l->half;
}

/* ---- the end ---- */

static bool read_head(int fd, off_t at, uint32_t nranks, size_t cap, struct cs_crash_head *h)
{
    return pread(fd, h, sizeof *h, at) == (ssize_t)sizeof *h &&
           memcmp(h->magic, CS_CRASH_MAGIC, sizeof h->magic) == 0 && h->nranks == nranks && h->rank < h->nranks &&
           h->defs_len <= CS_CRASH_DEFS && h->half <= 1 && h->done[h->half] >> 32 <= cap;
}

int cs_crash_for_each(int fd, uint32_t nranks, size_t cap, int (*save)(const struct cs_crash_slot *s, void *arg),
                      void *arg)
{
    struct cs_crash_slot s = {.fd = fd, .cap = cap};
    off_t len = slot_length(cap);
    assert(cap % CS_CRASH_PAGE == 0);
    for (;; s.at += len) {
        off_t data = lseek(fd, s.at, SEEK_DATA); /* thousands of ranks leave large holes behind */
        if (data < 0)
            return errno == ENXIO ? 0 : -1;
        s.at = data / len * len;
        if (read_head(fd, s.at, nranks, cap, &s.head) && (s.head.done[s.head.half] || s.head.defs_len) && save(&s, arg))
            return -1;
    }
}

static int refuse(const struct cs_crash_slot *s, void *arg)
{
    (void)s, (void)arg;
    return -1;
}

bool cs_crash_close(struct cs_crash_buffer *l, bool keep)
{
    bool last;
    if (!l)
        return false;
    if (!keep)
        cs_crash_begin(l, 0);
    if (l->fd < 0) {
        if (!keep)
            give_slot(l);
        leave_area(l);
        free(l);
        return false;
    }
    munmap(l->slot, l->slot_len);
    if (l->shared)
        munmap(l->shared, sizeof *l->shared);
    if (!keep) /* gives the room back; if that cannot be done, the slot is empty all the same */
        (void)!fallocate(l->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)((uint64_t)l->rank * l->slot_len),
                         (off_t)l->slot_len);
    last = flock(l->fd, LOCK_EX | LOCK_NB) == 0 &&
           cs_crash_for_each(l->fd, l->nranks, l->events_cap, refuse, NULL) == 0 && unlink(l->path) == 0;
    close(l->fd);
    free(l->path);
    free(l);
    return last;
}
