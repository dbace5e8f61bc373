/* SPDX-License-Identifier: BSD-3-Clause
 * The mean time before a call, where a loop begins split in what every iteration has and what entering costs. */
#ifndef CS_SKELETON_GAP_SPLIT_H
#define CS_SKELETON_GAP_SPLIT_H

#include "skeleton/gen/gen.h"

/* Seconds before a symbol's part: what each occurrence has, and what it has more when a loop is entered that begins
 * with it. */
struct cs_gen_split {
    double inside, outside;
};
/* g->m must have times; `part` counts the parts of the node's symbol. */
struct cs_gen_split cs_gen_split(const struct cs_gen *g, int64_t node, int part);

#endif
