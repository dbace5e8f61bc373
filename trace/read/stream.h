/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a rank's stream as it is stored: symbols and loops, not unrolled. It is for code that works on folded traces;
 * other code uses cs_trace_iter_next, which unrolls. Do not mix both on one iterator. */
#ifndef CS_STREAM_H
#define CS_STREAM_H

#include "trace/format/item.h"
#include "trace/trace.h"

/* An item names a symbol or loop by its number in the file. All numbers of symbols become invalid when epochs.symbols
 * changes, all numbers of loops when epochs.loops changes. */
struct cs_epochs {
    uint64_t symbols, loops;
};

/* A loop as it is stored: how often, and n items of its body. */
struct cs_stored_loop {
    uint64_t count;
    const uint32_t *item; /* of the body; lives until the next item is read */
    uint32_t n;
};

/* Gives the next item of the outermost level. If the trace has times, they are set in *e, and nothing else of it is. 1;
 * 0: the end; -1: the trace is corrupt (cs_trace_iter_error). */
int cs_trace_iter_item(struct cs_trace_iter *it, uint32_t *item, struct cs_event *e);
struct cs_epochs cs_trace_iter_epochs(const struct cs_trace_iter *it);
/* Fills in *e, but for times, from a symbol's number. */
void cs_trace_iter_symbol(const struct cs_trace_iter *it, uint32_t symbol, struct cs_event *e);
/* The count and body of a loop, by its number. */
struct cs_stored_loop cs_trace_iter_loop(const struct cs_trace_iter *it, uint32_t loop);

#endif
