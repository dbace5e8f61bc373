/* SPDX-License-Identifier: BSD-3-Clause
 * A rank's stream as it is stored: symbols and loops, not unrolled. For what works on folded traces; all others use
 * cs_trace_iter_next, which unrolls. Do not mix both on one iterator. */
#ifndef CS_STREAM_H
#define CS_STREAM_H

#include "trace/format/item.h"
#include "trace/trace.h"

/* Numbers in items are those of the file: they hold until symbols or loops are forgotten, which changes the epoch. */
struct cs_epochs {
    uint64_t symbols, loops;
};

struct cs_stored_loop {
    uint64_t count;
    const uint32_t *item; /* of the body; lives until the next item is read */
    uint32_t n;
};

/* The next item that is in no loop. 1, 0 at the end, -1 corrupt. Of *e only the times are set, for a symbol of a
 * trace with times. */
int cs_trace_iter_item(struct cs_trace_iter *it, uint32_t *item, struct cs_event *e);
struct cs_epochs cs_trace_iter_epochs(const struct cs_trace_iter *it);
void cs_trace_iter_symbol(const struct cs_trace_iter *it, uint32_t symbol, struct cs_event *e);
struct cs_stored_loop cs_trace_iter_loop(const struct cs_trace_iter *it, uint32_t loop);

#endif
