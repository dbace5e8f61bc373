/* SPDX-License-Identifier: BSD-3-Clause
 * Computation by call-site interval: what a run with times spent between one call site and the next, on the average.
 * For runs of the same program at another size, where only the places in the source are the same. */
#ifndef CS_INTERVALS_H
#define CS_INTERVALS_H

#include "trace/trace.h"

struct cs_intervals;

/* Reads a trace with times. NULL after an error message. */
struct cs_intervals *cs_intervals_read(const char *path);
void cs_intervals_free(struct cs_intervals *v);
int cs_intervals_nranks(const struct cs_intervals *v);
/* Mean gap in ns between a call from `from` and the next one from `to`; if they never followed each other, the mean gap
 * before a call from `to`; -1 if there was none. `from` may be NULL: no call before. */
double cs_intervals_ns(struct cs_intervals *v, const struct cs_site *from, const struct cs_site *to);
/* How often cs_intervals_ns gave each of its three answers, in that order. */
void cs_intervals_answers(const struct cs_intervals *v, int64_t answers[3]);

#endif
