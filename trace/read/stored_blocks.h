/* SPDX-License-Identifier: BSD-3-Clause
 * A trace as the file has it, block by block: for code that stores it in another form.
 * Other code uses the functions of trace.h. */
#ifndef CS_STORED_BLOCKS_H
#define CS_STORED_BLOCKS_H

#include "trace/format/bytes.h"
#include "trace/read/trace_rank.h"
#include "trace/trace.h"

/* Reads and unpacks one section of a block, events or definitions, into *out, whose len becomes the section's raw
 * length. -1 if the section is missing or does not unpack to that length, or no memory. */
int cs_read_section(const struct cs_trace *t, const struct cs_trace_block *b, bool events, struct cs_bytes *out);
/* The keys of a block's sections: equal keys, equal bytes. 0, or -1: no memory. */
int cs_block_keys(const struct cs_trace *t, const struct cs_trace_block *b, struct cs_key *defs, struct cs_key *events);

/* What a trace takes in its file. */
struct cs_stored_size {
    uint64_t file, sections; /* bytes, of all and of the sections of ranks' own blocks */
    bool in_order;           /* each byte is of a block, and each block part of a rank's stream */
};
struct cs_stored_size cs_stored_size(const struct cs_trace *t);

#endif
