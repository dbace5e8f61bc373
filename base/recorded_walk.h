/* SPDX-License-Identifier: BSD-3-Clause
 * One after the other, what a value was on a rank. */
#ifndef CS_RECORDED_WALK_H
#define CS_RECORDED_WALK_H

#include "base/recorded_value.h"

/* A rank's numbers: number `at` of those of run `run` is next, `seen` have been. Begins with the rank, else all 0. */
struct cs_recorded_walk {
    const struct cs_recorded_rank *r;
    int run;
    int64_t at, seen;
};

/* Sets *value to the next number; false behind the last. What was always the same, or is known in the mean only, is
 * there n times. */
static inline bool cs_recorded_next(struct cs_recorded_walk *w, int n, int64_t *value)
{
    const struct cs_series *s = &w->r->each;
    if (!w->r->in_order) {
        *value = w->r->mean;
        return w->seen++ < n;
    }
    while (w->run < s->nruns && w->at == s->run[w->run].times) {
        w->run++;
        w->at = 0;
    }
    if (w->run == s->nruns)
        return false;
    *value = s->value[s->run[w->run].at + w->at++ % s->run[w->run].length];
    w->seen++;
    return true;
}

#endif
