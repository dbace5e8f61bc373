/* SPDX-License-Identifier: BSD-3-Clause
 * Carries times from a nest to another one that makes the same calls: folding replaces the nest and keeps its times. */
#ifndef CS_MERGED_TIMES_H
#define CS_MERGED_TIMES_H

#include "trace/nest/nest.h"

/* Moves the times out of m into a new form, which has a copy of the nest and symbols that they belong to and nothing
 * else. NULL: no memory; then m keeps its times. */
struct cs_merged *cs_merged_times_out(struct cs_merged *m);
/* Gives m the times of `from`, whose nest makes the same calls. Times of several events at one node of `from` are
 * spread evenly over them. 0, or -1 and a reason. */
int cs_merged_times_in(struct cs_merged *m, struct cs_merged *from, char *errbuf, size_t errlen);

#endif
