/* SPDX-License-Identifier: BSD-3-Clause
 * The mean gap before a call; for a loop's first call, without what only entering the loop takes. */
#ifndef CS_SKELETON_GAP_SPLIT_H
#define CS_SKELETON_GAP_SPLIT_H

#include "skeleton/gen/gen.h"

/* Seconds before a symbol's part: before each occurrence, and in addition before the loop that begins with it (0 if it
 * begins none). */
struct cs_gen_split {
    double inside, outside;
};
/* g->m must have times; `part` is the index of a part of the node's symbol. */
struct cs_gen_split cs_gen_split(const struct cs_gen *g, int64_t node, int part);

#endif
