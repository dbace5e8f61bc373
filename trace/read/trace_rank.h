/* SPDX-License-Identifier: BSD-3-Clause
 * One rank of a trace as the reader has it: its blocks in the file and its own tables of definitions. It is for code
 * that works on ranks as they are stored; other code uses the functions of trace.h. */
#ifndef CS_TRACE_RANK_H
#define CS_TRACE_RANK_H

#include "trace/format/bytes.h"
#include "trace/format/format.h"
#include "trace/counters.h"

struct cs_own_block;
struct cs_block_class;

/* A sound block of a rank: one of its own in the file, or the nth of a block class. */
struct cs_trace_block {
    uint32_t rank, seq, flags; /* flags: of CS_BLOCK_LAST and CS_BLOCK_TIMES */
    uint32_t nth;
    uint64_t nevents;
    const struct cs_own_block *own;   /* or NULL */
    const struct cs_block_class *cls; /* or NULL */
};

/* A rank as far as the file has it: its sound blocks from the first one to the first that is missing, and its tables of
 * definitions. Definition i of a kind is the entry i of that kind's table. */
struct cs_trace_rank {
    int rank;
    bool complete;
    struct cs_trace_block *block; /* sequence numbers 0 to nblocks-1, all of them */
    size_t nblocks;
    int64_t nevents;
    struct cs_site *site;
    struct cs_type_def *type;
    struct cs_comm_def *comm;
    const char **op;
    int *call; /* rank's own call number -> index in the MPI table, or -1 */
    const char **call_name;
    struct cs_counter_def *counter;
    struct cs_segment *segment; /* NULL until one is asked for: they stay in the file */
    bool want_segments;         /* while definitions are read: these, too */
    bool shares;                /* the tables are those of another rank, which had the same definitions before */
    int ncounters, nsegments;
    int nsites, ntypes, ncomms, nops, ncalls;
};

/* The rank, or NULL if the file has no block of it. */
const struct cs_trace_rank *cs_trace_find_rank(const struct cs_trace *t, int rank);

#endif
