/* SPDX-License-Identifier: BSD-3-Clause
 * The two dynamic programs of fold_best.c: the cheapest way to write a stretch of the string as single symbols and as
 * powers (a body repeated at least twice, which becomes a loop). Powers lie in known runs. Private to trace/fold/. */
#ifndef CS_FOLD_SEARCH_H
#define CS_FOLD_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/fold/runs.h"

/* Words of the search. A place is a position between symbols: place i is in front of symbol i. A piece is the part of a
 * run (runs.h) that lies in the stretch. A piece of period p has a power of period p between each two of its places
 * that are 2p, 3p, ... apart.
 *
 *     place            0   1   2   3   4   5   6   7   8
 *     string             c   a   b   a   b   a   b   d
 *     stretch          |-------------------------------|     start = 0, end = 8
 *     piece                |-----------------------|         places 1 to 7 of a run of period 2
 *     powers end at                        |   |   |         5, 6, 7
 *     powers start at      |   |   |                         1, 2, 3
 *
 * A forward search visits places from left to right. The piece comes into play at 5, where the first power ends, and
 * goes out of play after 7. A backward search visits them from right to left: the piece is in play from 3 down to 1. A
 * search of a part of the stretch clips its pieces to that part. */

/* A cost: symbols are counted in the upper half, loops in the lower one. Fewer symbols win, then fewer loops. */
typedef uint64_t cs_cost;
#define CS_COST_SYMBOL ((cs_cost)1 << 32)
#define CS_COST_LOOP ((cs_cost)1)

/* Places `start` to `end` of run number `run`. */
struct cs_piece {
    int32_t start, end, run;
};

struct cs_active;

/* What searches need and reuse. A run of period p has the bodies that start at its places 0, 1, ..., p - 1 (fewer if
 * the run is short: cs_bodies); body[body_at[run] + i] is the cost of the one that starts at place i of the run. */
struct cs_search {
    struct cs_runs runs;
    size_t *body_at;
    cs_cost *body; /* runs of equal content share their entries */
    int64_t steps; /* all searches so far; the time that they took is proportional to it */
    /* Buffers that grow as needed. */
    struct cs_piece *piece;
    int32_t npieces, piece_cap;
    int32_t *head, *next; /* lists of pieces, by the place where they come into play; -1 ends a list */
    size_t head_cap, next_cap;
    struct cs_active *active;
    size_t active_cap;
};

/* How many different bodies the powers in a run can have: one for each place where a power can start, modulo period. */
static inline int32_t cs_bodies(int32_t length, int32_t period)
{
    return length - 2 * period + 1 < period ? length - 2 * period + 1 : period;
}

/* The last step of the cheapest way to a place: from place `from`, by a power in run `run` or, run -1, a symbol. */
struct cs_step {
    int32_t run, from;
};

/* Sets cost[i] to the cost of the cheapest way from place `start` to place start + i, for all places up to `end`.
 * Powers are taken from the pieces in q->piece, which are sorted by start; the costs of their bodies must be known.
 * If step is not NULL, step[i] gets the last step of the way to start + i, i >= 1. 0, or -1 with errno ENOMEM. */
int cs_search_forward(struct cs_search *q, int32_t start, int32_t end, cs_cost *cost, struct cs_step *step);
/* Sets cost[i] to the cost of the cheapest way from start + i to `end`; all else is as above. */
int cs_search_backward(struct cs_search *q, int32_t start, int32_t end, cs_cost *cost);
void cs_search_free(struct cs_search *q);

#endif
