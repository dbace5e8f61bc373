/* SPDX-License-Identifier: BSD-3-Clause
 * What the parts of the folder share: symbol by symbol (online_fold.c), whole turns of loops (fold_again.c). All set
 * f->err when memory is out. */
#ifndef CS_ONLINE_FOLD_INTERNAL_H
#define CS_ONLINE_FOLD_INTERNAL_H

#include "trace/format/online_fold.h"

/* The events that an item stands for. */
uint64_t cs_fold_events(const struct cs_loops *f, uint32_t item);
/* The levels of loops of the deepest of these items. */
uint32_t cs_fold_depth_below(const struct cs_loops *f, const uint32_t *s, uint32_t len);
/* The number of the body s[0..len), which is added if it is new. */
uint32_t cs_fold_body(struct cs_loops *f, const uint32_t *s, uint32_t len);
/* The item of the loop, which is added if it is new. */
uint32_t cs_fold_loop(struct cs_loops *f, uint32_t body, uint64_t count);
/* Takes the last n items out of the window. */
void cs_fold_pop(struct cs_loops *f, uint32_t n);
/* Sets f->next to the symbol at the open loop's position: ends iterations that are complete, and enters inner loops. */
void cs_fold_settle(struct cs_loops *f);
/* Closes the open loop: what it has taken goes back into the window as items, which may open a loop around it. */
void cs_fold_close(struct cs_loops *f);
/* Appends an item to the stream: to the open loop, if its outermost body has that item next, else to the window. */
void cs_fold_feed(struct cs_loops *f, uint32_t item);

#endif
