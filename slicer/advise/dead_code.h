/* SPDX-License-Identifier: GPL-3.0-or-later
 * What of a slice would no longer be run if a condition never, or always, held. */
#ifndef CS_DEAD_CODE_H
#define CS_DEAD_CODE_H

#include "slicer/control/assume.h"
#include "slicer/graph/graph.h"

/* Kept statements that the program can come to; stmt: a branch of whose line the condition never or always holds, or
 * -1. */
int cs_reached_code(const struct cs_graph *g, int stmt, enum cs_assume_kind kind);
/* Of each function, by block, whether the program can come to it; NULL: not to the function. */
bool **cs_reached_blocks(const struct cs_graph *g);
/* Control comes to one more block, and from there on; appends pairs of a function and a block that are new. */
void cs_reach_more(const struct cs_graph *g, bool **blocks, int func, int block, struct cs_intlist *came);
void cs_reached_blocks_free(const struct cs_graph *g, bool **blocks);

#endif
