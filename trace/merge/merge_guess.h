/* SPDX-License-Identifier: BSD-3-Clause
 * How the values of struct cs_merged_value (nest.h) are found: one rank after the other, then once more for what is a
 * table. Private to the merging; asking for values is in nest.h. */
#ifndef CS_MERGE_GUESS_H
#define CS_MERGE_GUESS_H

#include "trace/nest/nest.h"

/* The place of rank number i of the class in the communicator that peers belong to. */
typedef struct cs_comm_rank cs_comm_rank_at_fn(const void *arg, int i);

struct cs_guess {
    struct cs_merged_value v; /* holds for all ranks so far */
    int alive;                /* the rules that do */
    int64_t same, relative, exor;
    int cap; /* of the table */
};

void cs_guess_first(struct cs_guess *g, int64_t x, bool peer, struct cs_comm_rank p);
/* The value on rank number n of the class, n at least 1; p is {-1, 0} for what is no peer. 0, or -1 with errno ENOMEM.
 */
int cs_guess_next(struct cs_guess *g, int64_t x, int n, struct cs_comm_rank p, cs_comm_rank_at_fn *place_at,
                  const void *arg);
/* Replaces the table of a peer by a rule on a grid, if there is one. 0, or -1 with errno ENOMEM. */
int cs_guess_shorten(struct cs_merged_value *v, int n, cs_comm_rank_at_fn *place_at, const void *arg);

#endif
