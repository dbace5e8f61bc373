/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of the trace reader share: the index of blocks per rank, the definitions, and the pool.
 * Everything here has been checked against the file's size and checksums before it is trusted. */
#ifndef CS_READ_INTERNAL_H
#define CS_READ_INTERNAL_H

#include <zstd.h>

#include "base/error_text.h"
#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/format/block_classes.h"
#include "trace/format/peers.h"
#include "trace/read/pool.h"
#include "trace/read/read_at.h"
#include "trace/read/stored_blocks.h"
#include "trace/read/trace_rank.h"
#include "trace/trace.h"

struct cs_stored; /* a section that blocks of other ranks may name by its key, instead of storing it again */

/* A block that the file has of one rank: its header, and the file offset of what follows the header. */
struct cs_own_block {
    struct cs_block_header h;
    uint64_t payload;
};

/* A block of block classes, unpacked; the classes point into it. */
struct cs_unpacked_classes {
    uint32_t nranks, seq;
    unsigned char *bytes;
    struct cs_block_class *cls;
    uint32_t ncls;
};

/* An open trace.
 *
 *     block[]   | rank 0, seq 0 | rank 0, seq 1 | rank 2, seq 0 | ...     sorted by rank and sequence number;
 *                each leads to an own[] or to a class of a classes[]
 *     rank[]    | 0 | 2 | ...                                             .block points to the rank's first one  */
struct cs_trace {
    int fd;
    uint64_t size, sound; /* bytes of the file; bytes in sound blocks */
    struct cs_run_info info;
    bool failed;              /* a block says that the run failed: then no rank counts as complete */
    struct cs_own_block *own; /* blocks of one rank as the file has them */
    size_t nown, own_cap;
    struct cs_unpacked_classes *classes;
    size_t nclasses, classes_cap;
    struct cs_trace_block *block; /* of all ranks, sorted by rank and sequence number */
    size_t nblocks;
    struct cs_trace_rank *rank; /* those that have blocks, ascending */
    size_t nranks;
    struct cs_stored *stored;
    struct cs_pool pool;
    struct cs_peers *peers; /* of each call of the MPI table */
    ZSTD_DCtx *zstd;        /* for all sections: it is large */
};

/* A number that is the same for ranks whose definitions are the same, byte for byte. 0, or -1: no memory. */
int cs_defs_key(const struct cs_trace *t, const struct cs_trace_rank *r, struct cs_key *out);

/* ---- blocks of block classes (read_classes.c) ---- */

/* Unpacks and decodes a block of classes whose stored bytes are `payload`, and adds it to the trace's. 1; 0: it is not
 * sound; -1: no memory. */
int cs_classes_take(struct cs_trace *t, const struct cs_block_header *h, const unsigned char *payload);
/* Puts the blocks of all ranks, of their own and of classes, into t->block, in no order. 0, or -1: no memory. */
int cs_classes_list_blocks(struct cs_trace *t);
void cs_classes_free(struct cs_trace *t);

/* Decodes the definitions of all of the rank's blocks into its tables. 0, or -1 and a one-line reason. */
int cs_read_defs(struct cs_trace *t, struct cs_trace_rank *r, char *errbuf, size_t errlen);
/* Reads the rank's segments, which cs_read_defs() only checks and counts. 0, or -1 and a one-line reason. */
int cs_read_segments(struct cs_trace *t, struct cs_trace_rank *r, char *errbuf, size_t errlen);
void cs_free_defs(struct cs_trace_rank *r);

#endif
