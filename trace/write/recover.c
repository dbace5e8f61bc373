/* SPDX-License-Identifier: BSD-3-Clause
 * Saves what killed ranks left in their slots of the crash file: appends it to the trace, as the blocks that they had
 * not written yet. While a rank of the run is alive, cs_trace_recover does nothing. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "trace/write/crash_buffer.h"
#include "trace/read/read_at.h"
#include "trace/write/join_ranks.h"
#include "trace/read/trace_rank.h"

/* The trace that slots are saved to. */
struct target {
    const struct cs_trace *t;
    const char *path;
};

static int append(const char *path, const void *block, size_t n)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t got = write(fd, block, n);
    if (got >= 0 && got != (ssize_t)n)
        errno = ENOSPC;
    int err = errno;
    close(fd);
    errno = err;
    return got == (ssize_t)n ? 0 : -1;
}

/* Is the slot's block the next one that the trace lacks? If the rank was killed just after writing the block, the trace
 * has it already. */
static bool is_next(const struct cs_trace *t, const struct cs_crash_head *h)
{
    const struct cs_trace_rank *r = cs_trace_find_rank(t, (int)h->rank);
    return (int)h->nranks == cs_trace_info(t)->nranks && (r ? !r->complete && r->nblocks == h->seq : h->seq == 0);
}

/* Appends a slot's definitions and events to the trace as an uncompressed block. 0, or -1 with errno. */
static int save(const struct cs_crash_slot *s, void *arg)
{
    const struct target *to = arg;
    uint32_t defs = s->head.defs_len, half = s->head.half, events = (uint32_t)(s->head.done[half] >> 32);
    struct cs_block_header h = {.rank = s->head.rank,
                                .nranks = s->head.nranks,
                                .seq = s->head.seq,
                                .flags = s->head.flags,
                                .defs_raw = defs,
                                .defs_stored = defs,
                                .events_raw = events,
                                .events_stored = events,
                                .nevents = s->head.base[half] + (uint32_t)s->head.done[half]};
    size_t n = (size_t)CS_HEADER_LEN + defs + events;
    if (!is_next(to->t, &s->head))
        return 0;
    unsigned char *block = malloc(n);
    if (!block)
        return -1;
    uint64_t at = (uint64_t)s->at;
    uint32_t near = defs < CS_CRASH_NEAR ? defs : CS_CRASH_NEAR;
    int rc = cs_read_at(s->fd, at + CS_CRASH_HEAD, block + CS_HEADER_LEN, near) ||
                     cs_read_at(s->fd, at + cs_crash_far_defs(s->cap), block + CS_HEADER_LEN + near, defs - near) ||
                     cs_read_at(s->fd, at + cs_crash_half_at(half, s->cap), block + CS_HEADER_LEN + defs, events)
                 ? -1
                 : 0;
    if (rc == 0) {
        h.defs_key = cs_section_key(block + CS_HEADER_LEN, defs);
        h.events_key = cs_section_key(block + CS_HEADER_LEN + defs, events);
        h.payload_hash = cs_trace_hash(block + CS_HEADER_LEN, n - CS_HEADER_LEN);
        cs_header_encode(&h, block);
        rc = append(to->path, block, n);
    }
    free(block);
    return rc;
}

int cs_crash_save(int fd, size_t cap, const char *path)
{
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    struct target to = {t, path};
    if (!t)
        return 0; /* nothing there that could be added to */
    uint32_t nranks = (uint32_t)cs_trace_info(t)->nranks;
    int rc = cs_crash_for_each(fd, nranks, cap ? cap : cs_crash_events_cap(nranks), save, &to);
    int err = errno;
    cs_trace_free(t);
    errno = err;
    return rc;
}

int cs_trace_recover(const char *path)
{
    char *live = cs_crash_path(path);
    if (!live)
        return -1;
    int rc = 0, fd = open(live, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        rc = errno == ENOENT ? 0 : -1;
    } else if (flock(fd, LOCK_EX | LOCK_NB)) {
        rc = errno == EWOULDBLOCK ? 0 : -1;
    } else {
        rc = cs_crash_save(fd, 0, path);
        if (rc == 0 && unlink(live) == 0)
            cs_trace_join_ranks(path, false); /* if that cannot be done, the trace stays as it is */
    }
    int err = errno;
    if (fd >= 0)
        close(fd);
    free(live);
    errno = err;
    return rc;
}
