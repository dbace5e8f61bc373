/* SPDX-License-Identifier: BSD-3-Clause
 * Cheapest way through a stretch of the string, by symbols and by powers that lie in known runs. Private to
 * trace/fold/: the two dynamic programs that fold_best.c is made of. */
#ifndef CS_FOLD_SEARCH_H
#define CS_FOLD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/fold/runs.h"

/* A cost: symbols, and among equals loops. */
typedef uint64_t cs_cost;
#define CS_COST_SYMBOL ((cs_cost)1 << 32)
#define CS_COST_LOOP ((cs_cost)1)

/* The part of a run that lies in the stretch at hand. */
struct cs_piece {
    int32_t start, end, run;
};

struct cs_active;

struct cs_search {
    struct cs_runs runs;
    size_t *body_at; /* where the costs of a run's bodies start in `body` */
    cs_cost *body; /* by start of the body within the run, modulo the period; the first cs_bodies() of them. Equal runs
                      share them */
    int64_t steps; /* so far: what time is proportional to */
    /* Room that grows as needed. */
    struct cs_piece *piece;
    int32_t npieces, piece_cap;
    int32_t *head, *next; /* pieces by the place where they come into play */
    size_t head_cap, next_cap;
    struct cs_active *active;
    size_t active_cap;
};

/* How many different bodies the powers in a run of this length can have. */
static inline int32_t cs_bodies(int32_t length, int32_t period)
{
    return length - 2 * period + 1 < period ? length - 2 * period + 1 : period;
}

/* The step that reached a place: by a power of run `run` from `from`, or, run = -1, by one symbol. */
struct cs_step {
    int32_t run, from;
};

/* cost[i] = cheapest way from `start` to start + i, for all places up to `end`, with the pieces in q->piece (sorted by
 * start). If step is not NULL it gets the last step on each way. 0, or -1 with errno ENOMEM. */
int cs_search_forward(struct cs_search *q, int32_t start, int32_t end, cs_cost *cost, struct cs_step *step);
/* cost[i] = cheapest way from start + i to `end`. */
int cs_search_backward(struct cs_search *q, int32_t start, int32_t end, cs_cost *cost);
void cs_search_free(struct cs_search *q);

#endif
