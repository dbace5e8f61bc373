/* SPDX-License-Identifier: BSD-3-Clause
 * One rank of a trace as the reader has it: its blocks in the file and its own tables of definitions. For what works on
 * ranks as they are stored; all others ask by the functions of trace.h. */
#ifndef CS_TRACE_RANK_H
#define CS_TRACE_RANK_H

#include "trace/format/format.h"
#include "trace/format/peers.h"
#include "trace/trace.h"

struct cs_trace_block {
    struct cs_block_header h;
    uint64_t payload; /* file offset */
};

/* A rank as far as the file has it: a run of sound blocks from the first one, and tables of definitions by the rank's
 * own numbers. */
struct cs_trace_rank {
    int rank;
    bool complete;
    struct cs_trace_block *block; /* sequence numbers 0 to nblocks-1, all of them */
    size_t nblocks;
    int64_t nevents;
    struct cs_site *site;
    struct cs_type_def *type;
    struct cs_comm_def *comm;
    struct cs_comm_rank *comm_rank; /* of the rank in each of them */
    const char **op;
    int *call; /* rank's own call number -> index in the MPI table, or -1 */
    const char **call_name;
    int nsites, ntypes, ncomms, nops, ncalls;
};

/* NULL if no block of the file is of this rank. */
const struct cs_trace_rank *cs_trace_find_rank(const struct cs_trace *t, int rank);

#endif
