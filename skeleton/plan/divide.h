/* SPDX-License-Identifier: BSD-3-Clause
 * Which loops run fewer times: g->parent[] and g->count[]. */
#ifndef CS_SKELETON_DIVIDE_H
#define CS_SKELETON_DIVIDE_H

#include "skeleton/gen/gen.h"

/* Sets parent[], and count[] as in the original. 0, or -1: the scale is larger than any trip count. */
int cs_gen_loops(struct cs_gen *g);
/* Sets count[] of the loops that are divided, and counts them in g->report. Needs cs_gen_follow_requests. 0 or -1. */
int cs_gen_divide(struct cs_gen *g);

/* Is the loop itself divided? */
bool cs_gen_is_divided(const struct cs_gen *g, int64_t node);
/* Is a loop around the node divided? */
bool cs_gen_in_divided(const struct cs_gen *g, int64_t node);

#endif
