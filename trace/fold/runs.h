/* SPDX-License-Identifier: BSD-3-Clause
 * All maximal repetitions ("runs") of a string: stretches that repeat with a period, at least twice, and
 * that cannot be made longer on either side. There are fewer of them than symbols. */
#ifndef CS_RUNS_H
#define CS_RUNS_H

#include <stddef.h>
#include <stdint.h>

/* A maximal repetition: s[start..end) has the smallest period `period`, and end - start >= 2 * period. */
struct cs_run_of {
    int32_t start, end, period;
};

/* All runs of a string, each once; `run` is the caller's to free. */
struct cs_runs {
    struct cs_run_of *run; /* by start, then by period */
    int32_t n;
};

/* Symbols of s are 0 to k-1. 0, or -1 with errno ENOMEM; cs_runs_free frees the list. */
int cs_runs_find(const int32_t *s, int32_t n, int32_t k, struct cs_runs *out);
void cs_runs_free(struct cs_runs *r);

#endif
