/* SPDX-License-Identifier: BSD-3-Clause
 * Folds a stream of symbols while it is recorded: a repetition at its end becomes a loop, loops are items, and items
 * fold again. Inside a known nest of loops a symbol costs one comparison. Memory is bounded by CS_LOOPS_*: items that
 * leave the window are written out. docs/reference/trace-format.md has the algorithm. */
#ifndef CS_ONLINE_FOLD_H
#define CS_ONLINE_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/table.h"
#include "trace/format/bytes.h"
#include "trace/format/item.h"
#include "trace/format/symbols.h"

#define CS_LOOPS_WINDOW 4096u /* items that are looked at */
#define CS_LOOPS_DEPTH 62     /* each level at least doubles the events, and these fit in 63 bits */
#define CS_LOOPS_MOST 2048u   /* different loops, and different bodies, before all are written out */
#define CS_LOOPS_ARENA 16384u /* items of all bodies */

/* A body: the items arena[at .. at + len), which nest `depth` levels of loops, itself included, and stand for `events`
 * events. `out` is its number in the section being written, UINT32_MAX if it is not written yet. Equal bodies are
 * stored once. */
struct cs_loop_body {
    uint64_t events;
    uint32_t hash, at, len, out, depth;
};
/* A loop: a body and a count. `head` is its last index in the window, plus 1, or 0; `out` is as above. Equal loops are
 * stored once. */
struct cs_loop {
    uint64_t count;
    uint32_t hash, body, head, out;
};
/* A position in a body of the open loop: iterations done, of how many, and items done of the current iteration. */
struct cs_loop_frame {
    uint64_t done, count;
    uint32_t body, at, len, pos;
};

/* The folder's state. A symbol that the open loop expects only moves that loop's cursor; all others go to the window.
 *
 *     window: | item | item | ... | item |  <- symbols come here; a square at this end becomes the open loop
 *     open loop: frame[0] (outermost) ... frame[depth - 1], each at a place of its body
 *     body:   each a stretch of `arena`; loop: a body and a count  */
struct cs_loops {
    uint32_t next; /* the symbol that the open loop expects, CS_NO_SYMBOL if none is open */
    int depth;     /* frames of the open loop's nest, 0: no loop is open */
    struct cs_loop_frame *frame;
    uint32_t frame_cap;
    uint32_t *window, *before; /* items; for each, the place + 1 of the previous equal item, or 0 */
    uint32_t n, cap;
    uint32_t period, matched; /* the last `matched` items equal those `period` before */
    uint32_t *symbol_head;    /* the last place + 1 of each symbol */
    uint32_t symbol_cap;
    struct cs_loop_body *body;
    struct cs_loop *loop;
    uint32_t nbodies, nloops, body_cap, loop_cap;
    struct cs_table bodies, loops; /* numbers of bodies and of loops, found by content */
    uint32_t *arena, arena_len, arena_cap;
    uint32_t out_bodies, out_loops; /* numbers given away in the section being written */
    uint32_t out_last;              /* the symbol that was written there last as an item of its own */
    int err;                        /* ENOMEM, sticky */
    struct cs_bytes *out;           /* where items go that leave the window */
};

/* Takes the next symbol. 0, or -1 when memory is out. */
int cs_loops_symbol_slow(struct cs_loops *f, uint32_t symbol);
/* The last `events` events happen `times` more times. 1; 0 if they are not all in the window, then nothing has changed;
 * -1 when memory is out. fold_again.c. */
int cs_loops_again(struct cs_loops *f, uint64_t events, uint64_t times);
/* Writes all that is not yet written, and starts anew. 0 or -1. */
int cs_loops_flush(struct cs_loops *f);
/* Appends the same to `to`, but changes nothing. 0 or -1. */
int cs_loops_peek(struct cs_loops *f, struct cs_bytes *to);
void cs_loops_free(struct cs_loops *f);

static inline int cs_loops_symbol(struct cs_loops *f, uint32_t symbol)
{
    if (symbol == f->next) { /* so a loop is open */
        struct cs_loop_frame *t = &f->frame[f->depth - 1];
        if (t->pos + 1 < t->len && !cs_item_is_loop(f->arena[t->at + t->pos + 1])) {
            f->next = cs_item_number(f->arena[t->at + ++t->pos]);
            return 0;
        }
    }
    return cs_loops_symbol_slow(f, symbol);
}

#endif
