/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of the trace reader share: the index of blocks per rank, the definitions, and the pool.
 * Everything here has been checked against the file's size and checksums before it is trusted. */
#ifndef CS_READ_INTERNAL_H
#define CS_READ_INTERNAL_H

#include "base/error_text.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/read/pool.h"
#include "trace/read/read_at.h"
#include "trace/read/trace_rank.h"
#include "trace/trace.h"

struct cs_stored; /* a section that blocks of other ranks may name by its key, instead of storing it again */

/* An open trace.
 *
 *     block[]   | rank 0, seq 0 | rank 0, seq 1 | rank 2, seq 0 | ...     sorted by rank and sequence number
 *     rank[]    | 0 | 2 | ...                                             .block points to the rank's first one  */
struct cs_trace {
    int fd;
    uint64_t size, sound; /* bytes of the file; bytes in sound blocks */
    struct cs_run_info info;
    bool failed;                  /* a block says that the run failed: then no rank counts as complete */
    struct cs_trace_block *block; /* of all ranks, sorted by rank and sequence number */
    size_t nblocks, block_cap;
    struct cs_trace_rank *rank; /* those that have blocks, ascending */
    size_t nranks;
    struct cs_stored *stored;
    struct cs_pool pool;
};

/* Reads and unpacks one section of a block, events or definitions, into *out, whose len becomes the section's raw
 * length. -1 if the section is missing or does not unpack to that length, or no memory. */
int cs_read_section(const struct cs_trace *t, const struct cs_trace_block *b, bool events, struct cs_bytes *out);
/* Decodes the definitions of all of the rank's blocks into its tables. 0, or -1 and a one-line reason. */
int cs_read_defs(struct cs_trace *t, struct cs_trace_rank *r, char *errbuf, size_t errlen);
/* Reads the rank's segments, which cs_read_defs() only checks and counts. 0, or -1 and a one-line reason. */
int cs_read_segments(struct cs_trace *t, struct cs_trace_rank *r, char *errbuf, size_t errlen);
void cs_free_defs(struct cs_trace_rank *r);

#endif
