/* SPDX-License-Identifier: BSD-3-Clause
 * The writer's state, and what its parts share: blocks (write_block.c), definitions (write_defs.c), the copy that
 * survives a kill, events and life (write.c). Private to trace/write*.c. */
#ifndef CS_WRITE_INTERNAL_H
#define CS_WRITE_INTERNAL_H

#include <errno.h>
#include <time.h>
#include <zstd.h>

#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/write/writer_group.h"
#include "trace/format/symbols.h"
#include "trace/write/crash_buffer.h"
#include "trace/format/online_fold.h"
#include "trace/format/peers.h"
#include "base/small_hash.h"
#include "trace/trace.h"

#define CS_WRITE_BUFFER (32u << 10) /* a section that is written as a block */

#define CS_RECENT 8 /* power of two */

struct cs_definition;

/* A symbol as it was written, which the next one from the same call site will be like; call -1: none. */
struct cs_recent {
    uint32_t symbol;
    int32_t call, site, mark, nfields;
    int64_t fields[CS_ALIKE_FIELDS];
};

/* The way of an event: its symbol (known or new), then with times straight into `events`, else into `loops`, which puts
 * items into `events` when they leave its window. `events` and `defs` become a block when they are full; until then
 * `crash` has a copy of both. */
struct cs_trace_writer {
    int fd, err; /* err: sticky errno once the file cannot be written */
    uint32_t rank, nranks, seq;
    bool with_times;
    struct cs_bytes defs, events, out, scratch;
    struct cs_crash_buffer *crash;    /* what is not written yet, safe from a kill; or NULL */
    uint32_t crash_len, crash_events; /* in its half, and how many came since all was folded into it */
    uint32_t crash_limit; /* where it is folded anew: far below its end if there is little in it, so that few pages are
                            touched */
    size_t defs_limit;
    uint64_t nevents;               /* since the block before */
    struct cs_trace_group *group;   /* then the file is the group's */
    char *path;                     /* else its own */
    struct cs_comm_rank *comm_rank; /* of this rank in each communicator */
    struct cs_loops loops;          /* without times: what is not yet in the events section */
    uint64_t last_exit;
    int64_t clock; /* to be written with the next event; 0: it is, or there is none */
    struct cs_symbols symbols;
    struct cs_definition *known;
    int ndefs[CS_DEF_SEGMENT + 1];
    struct cs_written_call {
        int16_t call;
        struct cs_peers peers;
    } * calls; /* of the MPI table, by their numbers in this rank's stream; few are ever used */
    int calls_cap;
    uint32_t last_symbol; /* with times: of the event before in this block */
    struct cs_recent recent[CS_RECENT];
    ZSTD_CCtx *zstd;
    unsigned until_age_check;
    time_t last_flush;
};

/* Remembers the error; -1. */
static inline int cs_write_fail(struct cs_trace_writer *w, int err)
{
    w->err = err;
    errno = err;
    return -1;
}

/* Seconds of a clock that costs nothing. */
time_t cs_write_now(void);
/* Writes what is buffered. 0, or -1 and errno. */
int cs_write_block(struct cs_trace_writer *w, uint32_t flags);
/* After a block, or when the crash buffer begins. */
void cs_write_crash_limit(struct cs_trace_writer *w);
/* For a definition that is larger than its room in the crash buffer: from now on without. */
void cs_write_leave_crash_buffer(struct cs_trace_writer *w);
/* The number of a call in this rank's stream; defines it by name at its first use. -1 and errno. */
int cs_write_call_number(struct cs_trace_writer *w, int call);
void cs_write_free_definitions(struct cs_trace_writer *w);

#endif
