/* SPDX-License-Identifier: BSD-3-Clause
 * See join_ranks.h. Blocks are joined by sequence number, and classes are written as blocks of some megabytes, into a
 * file beside the trace that then takes its name. */
#define _GNU_SOURCE 1
#include "trace/write/join_ranks.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "trace/read/stored_blocks.h"
#include "trace/write/aligned_ranks.h"
#include "trace/write/joined_classes.h"
#include "trace/write/quiet_write.h"

#define MOST_STORED (64u << 20)  /* bytes of sections in the file */
#define MOST_MEMORY (256u << 20) /* for the classes of a sequence number */
#define BLOCK (4u << 20)         /* a block of classes is written when it is as long */
#define WELL_BELOW (256u << 10)  /* so much is compressed as well as zstd can */
#define WELL 16                  /* up to 19 is less than one percent shorter, and takes four times as long */
#define FAST 6
#define SMALL (8u << 10) /* a trace of so many bytes is not looked at any further */

/* A trace that is written anew. */
struct join {
    const struct cs_trace *t;
    const struct cs_aligned *aligned; /* or NULL: ranks stay as they are */
    int fd;                           /* of the new file */
    uint32_t seq;
    uint64_t written;
    bool too_large; /* it stays as it is */
    struct cs_bytes classes, packed, defs, events;
};

static int no_memory(void)
{
    errno = ENOMEM;
    return -1;
}

/* ---- blocks of classes ---- */

static int write_all(struct join *j, const void *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t k = cs_write_quietly(j->fd, (const char *)data + done, n - done);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            errno = k < 0 ? errno : ENOSPC;
            return -1;
        }
        done += (size_t)k;
    }
    j->written += n;
    return 0;
}

/* Compresses the classes behind the header's room. Returns their length there, the same as before if that is shorter,
 * or 0: no memory. */
static size_t compress(struct join *j)
{
    size_t bound = ZSTD_compressBound(j->classes.len);
    j->packed.len = 0;
    if (cs_bytes_reserve(&j->packed, CS_HEADER_LEN + bound))
        return 0;
    size_t n = ZSTD_compress(j->packed.data + CS_HEADER_LEN, bound, j->classes.data, j->classes.len,
                             j->classes.len < WELL_BELOW ? WELL : FAST);
    if (ZSTD_isError(n) || n >= j->classes.len) {
        n = j->classes.len;
        memcpy(j->packed.data + CS_HEADER_LEN, j->classes.data, n);
    }
    return n;
}

static int write_block(struct join *j, struct cs_block_header h, size_t payload)
{
    h.nranks = (uint32_t)cs_trace_info(j->t)->nranks;
    h.events_key = cs_section_key("", 0);
    h.payload_hash = cs_trace_hash(j->packed.data + CS_HEADER_LEN, payload);
    cs_header_encode(&h, j->packed.data);
    return write_all(j, j->packed.data, CS_HEADER_LEN + payload);
}

static int write_classes(struct join *j)
{
    if (j->classes.len == 0)
        return 0;
    size_t n = compress(j);
    if (n == 0)
        return no_memory();
    struct cs_block_header h = {.seq = j->seq++,
                                .flags = CS_BLOCK_CLASSES,
                                .defs_raw = (uint32_t)j->classes.len,
                                .defs_stored = (uint32_t)n,
                                .defs_key = cs_section_key(j->classes.data, j->classes.len)};
    j->classes.len = 0;
    return write_block(j, h, n);
}

/* The block that says that the run failed. */
static int write_failed(struct join *j)
{
    struct cs_block_header h = {.seq = CS_FAILED_SEQ, .flags = CS_BLOCK_FAILED, .defs_key = cs_section_key("", 0)};
    j->packed.len = 0;
    return cs_bytes_reserve(&j->packed, CS_HEADER_LEN) ? no_memory() : write_block(j, h, 0);
}

/* ---- joining ---- */

/* Takes the block whose sections are in j->defs and j->events. */
static int add_block(struct join *j, struct cs_joining *to, const struct cs_joining_block *a)
{
    if (cs_joining_add(to, a, &j->defs, &j->events))
        return no_memory();
    j->too_large = cs_joining_memory(to) > MOST_MEMORY;
    return j->too_large ? -1 : 0;
}

static int join_block(struct join *j, struct cs_joining *to, const struct cs_trace_block *b)
{
    struct cs_joining_block a = {.rank = b->rank, .seq = b->seq, .flags = b->flags, .nevents = b->nevents};
    if (cs_block_keys(j->t, b, &a.defs_key, &a.events_key))
        return no_memory();
    int same = cs_joining_same(to, &a);
    if (same < 0)
        return no_memory();
    if (same)
        return 0;
    if (cs_read_section(j->t, b, false, &j->defs) || cs_read_section(j->t, b, true, &j->events)) {
        errno = EIO;
        return -1;
    }
    return add_block(j, to, &a);
}

/* Joins the block that stands for several of a rank. */
static int join_aligned(struct join *j, struct cs_joining *to, int rank)
{
    struct cs_aligned_block b;
    if (cs_aligned_sections(j->aligned, rank, &b, &j->defs, &j->events))
        return no_memory();
    struct cs_joining_block a = {.rank = (uint32_t)rank,
                                 .seq = b.seq,
                                 .flags = b.flags,
                                 .group = b.group,
                                 .nevents = b.nevents,
                                 .defs_key = cs_section_key(j->defs.data, j->defs.len),
                                 .events_key = cs_section_key(j->events.data, j->events.len)};
    int same = cs_joining_same(to, &a);
    if (same < 0)
        return no_memory();
    return same ? 0 : add_block(j, to, &a);
}

static int put_classes(struct join *j, const struct cs_joining *from)
{
    for (int i = 0; i < cs_joining_classes(from); i++) {
        if (cs_joining_encode(from, i, &j->classes))
            return no_memory();
        j->too_large = j->classes.len > CS_MAX_SECTION;
        if (j->too_large)
            return -1;
        if (j->classes.len >= BLOCK && write_classes(j))
            return -1;
    }
    return 0;
}

static int join_rank(struct join *j, struct cs_joining *to, const struct cs_trace_rank *r, uint32_t seq)
{
    uint32_t first = j->aligned ? cs_aligned_first(j->aligned, r->rank) : UINT32_MAX;
    if (seq > first)
        return 0;
    return seq == first ? join_aligned(j, to, r->rank) : join_block(j, to, &r->block[seq]);
}

/* Joins the blocks with that sequence number. 1; 0: there are none; -1 and errno. */
static int join_sequence(struct join *j, uint32_t seq)
{
    struct cs_joining *to = cs_joining_new();
    int rc = to ? 0 : no_memory();
    for (int i = 0; i < cs_trace_info(j->t)->nranks && rc == 0; i++) {
        const struct cs_trace_rank *r = cs_trace_find_rank(j->t, i);
        if (r && seq < r->nblocks)
            rc = join_rank(j, to, r, seq);
    }
    if (rc == 0)
        rc = put_classes(j, to);
    if (rc == 0)
        rc = cs_joining_classes(to) > 0;
    cs_joining_free(to);
    return rc;
}

static int join_all(struct join *j)
{
    int rc = 1;
    for (uint32_t seq = 0; rc == 1; seq++)
        rc = join_sequence(j, seq);
    if (rc == 0)
        rc = write_classes(j);
    if (rc == 0 && cs_trace_failed(j->t))
        rc = write_failed(j);
    cs_bytes_free(&j->classes);
    cs_bytes_free(&j->packed);
    cs_bytes_free(&j->defs);
    cs_bytes_free(&j->events);
    return rc;
}

/* ---- the file ---- */

static bool can_join(const struct cs_trace *t, const struct stat *st, bool complete)
{
    struct cs_stored_size size = cs_stored_size(t);
    bool whole = true;
    for (int r = 0; r < cs_trace_info(t)->nranks && whole && complete; r++)
        whole = cs_trace_rank_state(t, r) == CS_RANK_COMPLETE;
    return !cs_trace_info(t)->with_times && size.in_order && whole && size.sections <= MOST_STORED && st->st_nlink == 1;
}

/* Gives the new file the rights of the old one, and its name if it is shorter. */
static int take_place(const struct join *j, const struct stat *st, const char *new, const char *old)
{
    if (j->written >= cs_stored_size(j->t).file)
        return unlink(new);
    if (fchmod(j->fd, st->st_mode & 07777) || (geteuid() == 0 && fchown(j->fd, st->st_uid, st->st_gid)))
        return -1;
    /* Some file systems say only here that there is no room; the old file is gone with the next step. */
    return fsync(j->fd) ? -1 : rename(new, old);
}

/* Does the new file have what the ranks had that are written in another form? */
static bool is_same(const struct cs_aligned *a, const char *new)
{
    char why[200];
    struct cs_trace *t = cs_trace_open(new, why, sizeof why);
    bool same = t && cs_aligned_are_same(a, t);
    cs_trace_free(t);
    return same;
}

/* Writes the trace that is open into a new file beside it. */
static int write_anew(const struct cs_trace *t, const struct cs_aligned *a, const char *path, const struct stat *st)
{
    char *new = NULL;
    if (asprintf(&new, "%s.XXXXXX", path) < 0)
        return no_memory();
    struct join j = {.t = t, .aligned = a, .fd = mkostemp(new, O_CLOEXEC)};
    int rc = j.fd < 0 ? -1 : join_all(&j);
    if (rc == 0 && a && !is_same(a, new))
        rc = -1;
    if (rc == 0)
        rc = take_place(&j, st, new, path);
    int err = errno;
    if (j.fd >= 0) {
        close(j.fd);
        if (rc)
            unlink(new);
    }
    free(new);
    errno = err;
    return j.too_large ? 0 : rc;
}

/* A joined trace that is still large has ranks that do the same and are no class: they get a form in common. What
 * fails here leaves it as it is. */
static void align(const char *path)
{
    char why[200];
    struct stat st;
    struct cs_aligned *a = NULL;
    struct cs_trace *t = stat(path, &st) == 0 && st.st_size > SMALL ? cs_trace_open(path, why, sizeof why) : NULL;
    if (t && cs_align_ranks(t, &cs_align_limits, &a) == 1)
        write_anew(t, a, path, &st);
    cs_aligned_free(a);
    cs_trace_free(t);
}

int cs_trace_join_ranks(const char *path, bool complete)
{
    char why[200];
    struct stat st;
    char *real = realpath(path, NULL);
    struct cs_trace *t = real ? cs_trace_open(real, why, sizeof why) : NULL;
    bool can = t && stat(real, &st) == 0 && can_join(t, &st, complete);
    int rc = can ? write_anew(t, NULL, real, &st) : 0;
    int err = errno;
    cs_trace_free(t);
    if (can && rc == 0)
        align(real);
    free(real);
    errno = err;
    return rc;
}
