/* SPDX-License-Identifier: BSD-3-Clause
 * More about walks than nest.h tells: for the parts of trace/ that go through all ranks. */
#ifndef CS_MERGED_WALK_H
#define CS_MERGED_WALK_H

#include "trace/nest/nest.h"

/* A walk in the original order that shares what it needs of the nest with others of the class: *first is the walk of
 * which the others take it, made on the first call; the caller frees it last. Loops run max_iterations times at most
 * (0: all). NULL: no memory. */
struct cs_merged_walk *cs_merged_walk_share(const struct cs_merged *m, int rank, struct cs_merged_walk **first,
                                            int64_t max_iterations);
/* The place of the last event among the rank's events in the order of the nest. */
int64_t cs_merged_walk_position(const struct cs_merged_walk *w);

#endif
