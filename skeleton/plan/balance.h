/* SPDX-License-Identifier: BSD-3-Clause
 * Sums of what stretches of the nest send and receive, for all ranks, so that a loop can be seen to match inside
 * itself. Private to skeleton/. */
#ifndef CS_SKELETON_BALANCE_H
#define CS_SKELETON_BALANCE_H

#include "skeleton/gen/gen.h"

struct cs_balance;

/* Nothing so far; NULL when memory is out. */
struct cs_balance *cs_balance_new(void);
void cs_balance_free(struct cs_balance *b);
/* Adds what the nodes [from, to) do when they are done `times` times. */
void cs_balance_nodes(struct cs_balance *b, struct cs_gen *g, int64_t from, int64_t to, int64_t times);
void cs_balance_add(struct cs_balance *to, const struct cs_balance *what, int64_t times);
/* All that was sent was received, and collectives were called by all members. */
bool cs_balance_is_zero(const struct cs_balance *b);
/* What `of` has of those pairs that are in `keys`. */
struct cs_balance *cs_balance_part(const struct cs_balance *of, const struct cs_balance *keys);
/* Does b have `times` what sum has, for all pairs in b? */
bool cs_balance_is(const struct cs_balance *b, const struct cs_balance *sum, int64_t times);

#endif
