/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a decision found out of constants. It stays so under further assumptions, so that the next decision need not
 * solve points-to again and again to find it. */
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
/* n facts, in an array of their own with room for cap; all zero: nothing is known. `instances`: as in struct
 * cs_pts_budget. */
struct cs_learnt {
    struct cs_learnt_fact *fact;
    int n, cap;
    int64_t instances;
};

#endif
