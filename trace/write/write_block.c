/* SPDX-License-Identifier: BSD-3-Clause
 * Makes a compressed block of a rank's buffered definitions and events, and appends it to the file with one write(). A
 * section that another rank has already written is not stored again: the block names it by its key. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/write/quiet_write.h"
#include "trace/write/section_set.h"
#include "trace/write/write_internal.h"

#define ZSTD_LEVEL 1
#define ZSTD_TABLE_LOG 11        /* keeps zstd's hash table small; by default it takes 2^17 bytes, most of a context */
#define AS_IT_IS (16u << 20)     /* all ranks' first sections together, if they are not compressed */
#define FEW_BLOCKS 8             /* a rank keeps its zstd context when it has written this many blocks */
#define CRASH_SINCE CS_CRASH_FEW /* bytes in the crash buffer before it is folded */

time_t cs_write_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec;
}

/* Makes the zstd context. It is most of the recorder's memory, and most ranks write a block or two: so it is freed
 * after each of a rank's first FEW_BLOCKS blocks. */
static int start_compression(struct cs_trace_writer *w)
{
    w->zstd = ZSTD_createCCtx();
    if (!w->zstd)
        return cs_write_fail(w, ENOMEM);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_hashLog, ZSTD_TABLE_LOG);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_contentSizeFlag, 1);
    return 0;
}

/* The set of sections that ranks have written, or NULL if this rank shares none. */
static struct cs_shared *shared_of(const struct cs_trace_writer *w)
{
    return w->group ? &w->group->shared->sections : w->crash ? w->crash->shared : NULL;
}

/* Does compressing the section cost a rank more than it saves? What ranks of one process write without times is joined
 * when they have all ended, and the joined form is compressed: so sections need not be where they are few and small. */
static bool stays_as_it_is(const struct cs_trace_writer *w, const struct cs_bytes *section)
{
    return w->group && !w->with_times && w->seq <= 1 && section->len <= AS_IT_IS / w->nranks;
}

/* Appends a section to the block being built. */
static int append_section(struct cs_trace_writer *w, const struct cs_bytes *section, uint32_t *stored)
{
    *stored = (uint32_t)section->len;
    return cs_bytes_put(&w->out, section->data, section->len);
}

/* Appends a section to the block being built, uncompressed if compression does not make it shorter. *stored gets its
 * length there. */
static int pack_section(struct cs_trace_writer *w, const struct cs_bytes *section, uint32_t *stored)
{
    if (!w->zstd && start_compression(w))
        return -1;
    size_t bound = ZSTD_compressBound(section->len);
    if (cs_bytes_reserve(&w->out, bound))
        return -1;
    size_t n = ZSTD_compress2(w->zstd, w->out.data + w->out.len, bound, section->data, section->len);
    if (ZSTD_isError(n) || n >= section->len) {
        n = section->len;
        memcpy(w->out.data + w->out.len, section->data, n);
    }
    w->out.len += n;
    *stored = (uint32_t)n;
    return 0;
}

/* Appends a section to the block being built, unless another rank has written the same one: then sets `flag` in *flags.
 * *key gets the section's key. */
static int put_section(struct cs_trace_writer *w, const struct cs_bytes *section, uint32_t *stored, struct cs_key *key,
                       uint32_t *flags, uint32_t flag)
{
    struct cs_shared *shared = shared_of(w);
    *stored = 0;
    if (section->len == 0)
        return 0;
    *key = cs_section_key(section->data, section->len);
    if (shared && cs_shared_has(shared, *key)) {
        *flags |= flag;
        return 0;
    }
    return stays_as_it_is(w, section) ? append_section(w, section, stored) : pack_section(w, section, stored);
}

static void share_sections(struct cs_trace_writer *w, const struct cs_block_header *h)
{
    struct cs_shared *shared = shared_of(w);
    if (shared && h->defs_stored)
        cs_shared_add(shared, h->defs_key);
    if (shared && h->events_stored)
        cs_shared_add(shared, h->events_key);
}

/* One write() per block, so that blocks of other ranks cannot come in between. After a short write the whole block is
 * written anew; the reader skips the torn one by its checksum. */
static int append_block(int fd, const void *data, size_t len)
{
    for (int tries = 0; tries < 3;) {
        ssize_t n = cs_write_quietly(fd, data, len);
        if (n == (ssize_t)len)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        tries++;
    }
    errno = ENOSPC;
    return -1;
}

static int put_sections(struct cs_trace_writer *w, struct cs_block_header *h)
{
    int rc = put_section(w, &w->defs, &h->defs_stored, &h->defs_key, &h->flags, CS_BLOCK_DEFS_ELSEWHERE) ||
                     put_section(w, &w->events, &h->events_stored, &h->events_key, &h->flags, CS_BLOCK_EVENTS_ELSEWHERE)
                 ? -1
                 : 0;
    if (w->seq < FEW_BLOCKS) {
        ZSTD_freeCCtx(w->zstd);
        w->zstd = NULL;
    }
    return rc;
}

void cs_write_crash_limit(struct cs_trace_writer *w)
{
    size_t more = w->crash_len > CRASH_SINCE ? w->crash_len : CRASH_SINCE, cap = w->crash ? w->crash->events_cap : 0;
    bool all = w->with_times || w->crash_len + more > cap; /* with times nothing folds */
    w->crash_limit = (uint32_t)(all ? cap : w->crash_len + more);
}

int cs_write_block(struct cs_trace_writer *w, uint32_t flags)
{
    if (cs_loops_flush(&w->loops))
        return cs_write_fail(w, ENOMEM);
    struct cs_block_header h = {.rank = w->rank,
                                .nranks = w->nranks,
                                .seq = w->seq,
                                .flags = flags | (w->with_times ? CS_BLOCK_TIMES : 0),
                                .nevents = w->nevents,
                                .defs_raw = (uint32_t)w->defs.len,
                                .events_raw = (uint32_t)w->events.len};
    assert(w->defs.len <= CS_MAX_SECTION && w->rank < w->nranks);
    w->out.len = 0;
    if (cs_bytes_reserve(&w->out, CS_HEADER_LEN))
        return cs_write_fail(w, ENOMEM);
    w->out.len = CS_HEADER_LEN;
    if (put_sections(w, &h))
        return cs_write_fail(w, ENOMEM);
    h.payload_hash = cs_trace_hash(w->out.data + CS_HEADER_LEN, w->out.len - CS_HEADER_LEN);
    cs_header_encode(&h, w->out.data);
    if (append_block(w->fd, w->out.data, w->out.len))
        return cs_write_fail(w, errno);
    share_sections(w, &h);
    w->seq++;
    w->defs.len = w->events.len = 0;
    w->nevents = 0;
    w->crash_len = w->crash_events = 0;
    w->last_symbol = CS_NO_SYMBOL;
    w->last_flush = cs_write_now();
    if (w->crash)
        cs_crash_begin(w->crash, w->seq);
    cs_write_crash_limit(w);
    return 0;
}

int cs_trace_flush(struct cs_trace_writer *w)
{
    if (w->err)
        return cs_write_fail(w, w->err);
    if (w->defs.len == 0 && w->events.len == 0 && w->nevents == 0)
        return 0;
    return cs_write_block(w, 0);
}
