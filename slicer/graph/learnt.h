/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a decision found out: constants, which stay so under further assumptions, and which objects pointers do not tell
 * apart, so that the next decision need not solve points-to again and again to find it. */
#ifndef CS_LEARNT_H
#define CS_LEARNT_H

#include <stdbool.h>
#include <stdint.h>

/* A value that is always `number` (func -1), or edge number `number` of a block of the function, which is never
 * taken. `at`: the value or the block. */
struct cs_learnt_fact {
    int func, at;
    int64_t number;
};
/* Wrappers of wrappers that allocate, at most. */
enum { CS_LEARNT_CALLS = 6 };

/* An object that was taken as one with others (pointsto_widen.c), by what does not change when the graph is written and
 * read: object `obj` of the program; or, if that is -1, the object number `nth` of those on the heap that statement
 * `stmt` makes. Of one that a wrapper allocates, what it is after `ncalls` calls, the inner one first. */
struct cs_learnt_lost {
    int obj, stmt, nth, ncalls, call[CS_LEARNT_CALLS];
};
/* n facts and nlost objects, in arrays of their own with room for cap and alost; all zero: nothing is known.
 * `instances`: as in struct cs_pts_budget. */
struct cs_learnt {
    struct cs_learnt_fact *fact;
    int n, cap;
    struct cs_learnt_lost *lost;
    int nlost, alost;
    int64_t instances;
};

#endif
