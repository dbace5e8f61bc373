/* SPDX-License-Identifier: BSD-3-Clause
 * Counts what a stretch of the nest sends and receives on all ranks, to find out whether everything that it sends is
 * received in it. Private to skeleton/. */
#ifndef CS_SKELETON_BALANCE_H
#define CS_SKELETON_BALANCE_H

#include "skeleton/gen/gen.h"

struct cs_balance;

/* Returns an empty balance; NULL if memory is out. */
struct cs_balance *cs_balance_new(void);
void cs_balance_free(struct cs_balance *b);
/* Adds what the nodes [from, to) do when they run `times` times. */
void cs_balance_nodes(struct cs_balance *b, struct cs_gen *g, int64_t from, int64_t to, int64_t times);
/* Adds `times` times `what` to `to`, which is another balance. */
void cs_balance_add(struct cs_balance *to, const struct cs_balance *what, int64_t times);
/* Was all received that was sent, and did all members of a communicator call its collectives equally often? */
bool cs_balance_is_zero(const struct cs_balance *b);
/* Returns a new balance: the sums of `of` for those pairs that are in `keys`, 0 where it has none. */
struct cs_balance *cs_balance_part(const struct cs_balance *of, const struct cs_balance *keys);
/* Is each sum of b `times` times that of `sum`? Pairs that only `sum` has do not matter. */
bool cs_balance_is(const struct cs_balance *b, const struct cs_balance *sum, int64_t times);

#endif
