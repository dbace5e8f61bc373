/* SPDX-License-Identifier: BSD-3-Clause
 * Groups of writers: what the parent makes before it forks the ranks, and what it does when they have ended. */
#define _GNU_SOURCE 1
#include "trace/write/writer_group.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/format/format.h"
#include "trace/trace.h"

int cs_trace_open_to_append(const char *path)
{
    return cs_trace_move_up(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
}

struct cs_trace_group *cs_trace_group_new(const char *path, int nranks)
{
    struct cs_trace_group *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->crash.fd = -1;
    g->path = strdup(path);
    g->fd = cs_trace_open_to_append(path);
    g->shared = mmap(NULL, sizeof *g->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (g->fd >= 0 && g->path && g->shared != MAP_FAILED && nranks > 0 && nranks <= CS_MAX_RANKS) {
        cs_crash_area_make(&g->crash, &g->shared->slots, (uint32_t)nranks);
        return g;
    }
    int err = errno;
    if (g->shared == MAP_FAILED)
        g->shared = NULL;
    cs_trace_group_free(g);
    errno = err;
    return NULL;
}

int cs_trace_group_save(struct cs_trace_group *g)
{
    return g->crash.fd >= 0 ? cs_crash_save(g->crash.fd, CS_CRASH_AREA_HALF, g->path) : 0;
}

int cs_trace_group_fail(struct cs_trace_group *g, const struct cs_run_info *info)
{
    struct cs_block_header h = {.nranks = (uint32_t)info->nranks,
                                .seq = CS_FAILED_SEQ,
                                .flags = CS_BLOCK_FAILED | (info->with_times ? CS_BLOCK_TIMES : 0),
                                .defs_key = cs_section_key("", 0),
                                .events_key = cs_section_key("", 0),
                                .payload_hash = cs_trace_hash("", 0)};
    unsigned char block[CS_HEADER_LEN];
    assert(g->fd >= 0);
    cs_header_encode(&h, block);
    ssize_t n = write(g->fd, block, sizeof block);
    if (n >= 0 && n != sizeof block) /* a short write sets no errno */
        errno = ENOSPC;
    return n == sizeof block ? 0 : -1;
}

void cs_trace_group_free(struct cs_trace_group *g)
{
    if (!g)
        return;
    cs_crash_area_free(&g->crash);
    if (g->fd >= 0)
        close(g->fd);
    if (g->shared)
        munmap(g->shared, sizeof *g->shared);
    free(g->path);
    free(g);
}
