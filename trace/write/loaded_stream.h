/* SPDX-License-Identifier: BSD-3-Clause
 * A rank's stream in memory, as far as it is stored: each symbol once, loops, items; nothing is unrolled. It may be
 * stored in any number of blocks, and in any form. */
#ifndef CS_LOADED_STREAM_H
#define CS_LOADED_STREAM_H

#include "trace/format/symbols.h"
#include "trace/trace.h"

/* A loop: `count` times the items arena[first .. first + n), which stand for `events` events. */
struct cs_loaded_loop {
    uint64_t count, events;
    uint32_t first, n;
};

/* Items are those of item.h, with the numbers of symbols and loops here.
 *
 *     item:    | symbol | loop | symbol | ...            the stream, in order
 *     loop:    each a count and a stretch of `arena`, whose items are symbols and earlier loops
 *     symbols: fields as the file has them: peers relative to the rank; `call` is an index in the MPI table  */
struct cs_loaded_stream {
    struct cs_symbols symbols;
    struct cs_loaded_loop *loop;
    uint32_t *arena, *item;
    uint32_t nloops, loop_cap, arena_n, arena_cap, n, cap;
    uint64_t nevents;
};

/* Loads the rank's stream into *s, which is all zero. 1; 0: it is long even as it is stored, or corrupt; -1: no memory.
 * *s is to be freed in each case. */
int cs_load_stream(const struct cs_trace *t, int rank, struct cs_loaded_stream *s);
void cs_loaded_stream_free(struct cs_loaded_stream *s);

/* What a stream consists of, in one number each of its unrolled symbols: equal for equal streams, whichever way they
 * are folded, and with a probability of 2^-60 for others. of_symbol gives a number for a symbol. */
struct cs_stream_sum {
    uint64_t a, b;
};
typedef uint64_t cs_symbol_number_fn(const struct cs_symbols *symbols, uint32_t symbol);
/* 0, or -1: no memory. */
int cs_loaded_stream_sum(const struct cs_loaded_stream *s, cs_symbol_number_fn *of_symbol, struct cs_stream_sum *sum);
/* Numbers for symbols: of all that is known of them; of their call, place, mark and number of fields. */
uint64_t cs_symbol_content(const struct cs_symbols *symbols, uint32_t symbol);
uint64_t cs_symbol_shape(const struct cs_symbols *symbols, uint32_t symbol);

#endif
