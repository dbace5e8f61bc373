/* SPDX-License-Identifier: BSD-3-Clause
 * New speeds for a loop that is under way, from what is seen of its workers; and blocks in parts, which go to others by
 * these speeds. No clock and no MPI: the monitor, the library and the tests ask the same functions. */
#ifndef CS_REPLAN_H
#define CS_REPLAN_H

#include <stdbool.h>
#include <stdint.h>

/* What is seen of a worker. speed: that the technique goes by; rate: items a second by now, 0: not known; left: items
 * that are its own, of its block or of the chunk at work, and not done; gone: it has left the loop. */
struct cs_worker_seen {
    double speed, rate, left;
    bool gone;
};

/* What a new plan would change. off: the worker whose rate is farthest from its speed, as a factor of what the others
 * do, below 1 if it is slow. before, after: seconds until the loop's end, 0: not known. */
struct cs_replanned {
    int worker;
    double off, before, after;
};

/* Speeds of n workers by what is seen now; speed[i] stays where nothing is known. pool: items that nobody has yet;
 * moves: what is a worker's own goes to others by the speeds.
 * True: a plan is worth it, as a worker is off by more than a fifth, and, where nothing is in the pool, the loop would
 * end a twentieth earlier. scratch has room for n numbers. */
bool cs_replan(int n, const struct cs_worker_seen *w, double pool, bool moves, double *speed, double *scratch,
               struct cs_replanned *r);

/* A chunk that is at work so long already shows that the rate is not what it was: items a second now, from that of the
 * last chunks (0: not known). */
double cs_rate_by_now(double rate, double at_work, double seconds);

/* Blocks have so many parts, and part number `part` begins at that item of the block. */
int64_t cs_block_parts(int64_t items);
int64_t cs_block_part_begin(int64_t items, int64_t part);

/* What nobody has taken of a worker's block. */
struct cs_parts_left {
    int64_t items, parts; /* of the block; parts: that nobody has taken */
};
/* The worker from whose block `worker`, which has no part of its own left, takes one: the one that would end last by
 * the speeds, if it can do the part before that; -1: none. */
int cs_part_from(int n, const struct cs_parts_left *left, const double *speed, int worker);

#endif
