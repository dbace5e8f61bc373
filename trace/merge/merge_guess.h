/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the rule of a struct cs_merged_value (merged_value.h) from the values on all ranks of a class. They are given
 * one rank after the other: cs_guess_first, cs_guess_next, ..., cs_guess_shorten. Private to trace/merge/. */
#ifndef CS_MERGE_GUESS_H
#define CS_MERGE_GUESS_H

#include "trace/nest/nest.h"

/* The number of the class's rank i in the communicator that peers belong to, and that communicator's size. */
typedef struct cs_comm_rank cs_comm_rank_at_fn(const void *arg, int i);

/* A value of which some ranks are known. `alive` is the set of simple rules that hold for all of them; when it gets
 * empty, v becomes a table. */
struct cs_guess {
    struct cs_merged_value v; /* holds for all ranks so far */
    int alive;
    int64_t same, relative, exor; /* parameter `a` of each simple rule */
    int cap;                      /* of v.table */
};

/* Starts with value x on the class's rank 0. p: that rank in the communicator, if the value is a peer. */
void cs_guess_first(struct cs_guess *g, int64_t x, bool peer, struct cs_comm_rank p);
/* Adds value x on the class's rank n = 1, 2, ...; p is {-1, 0} if the value is no peer. 0, or -1 with errno ENOMEM. */
int cs_guess_next(struct cs_guess *g, int64_t x, int n, struct cs_comm_rank p, cs_comm_rank_at_fn *place_at,
                  const void *arg);
/* Replaces the table of a peer on n ranks by rule TORUS or DIGITS, if one fits. 0, or -1 with errno ENOMEM. */
int cs_guess_shorten(struct cs_merged_value *v, int n, cs_comm_rank_at_fn *place_at, const void *arg);

#endif
