/* SPDX-License-Identifier: BSD-3-Clause
 * Walks (nest.h) for code that goes through all ranks: they share the nest of their class. */
#ifndef CS_MERGED_WALK_H
#define CS_MERGED_WALK_H

#include "trace/nest/nest.h"

/* Opens a walk through a rank's events in the original order. All walks of a class share the reduced nest of *first,
 * which is NULL at the first call for the class and made then; the caller frees *first after all the others. Loops run
 * max_iterations times at most (0: as often as they say). NULL: no memory. */
struct cs_merged_walk *cs_merged_walk_share(const struct cs_merged *m, int rank, struct cs_merged_walk **first,
                                            int64_t max_iterations);
/* The number, from 0, of the event that cs_merged_walk_next gave last, counted in the order of the nest. */
int64_t cs_merged_walk_position(const struct cs_merged_walk *w);

#endif
