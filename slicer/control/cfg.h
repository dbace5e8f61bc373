/* SPDX-License-Identifier: GPL-3.0-or-later
 * Control flow of one function: which edges can be taken, and which blocks can be reached over them.
 * error_exits.h and assume.h say of edges that they are never taken. */
#ifndef CS_CFG_H
#define CS_CFG_H

#include "slicer/graph/graph.h"

/* Recomputes `reachable` of a function's blocks: from its entry, over edges that can be taken. */
void cs_cfg_reach(struct cs_graph *g, int func);
/* The blocks, by number, to which control can come from the end of `block`, over edges that can be taken and not by way
 * of block `but` (-1: by way of any). Malloced. */
bool *cs_cfg_behind(const struct cs_func *f, int block, int but);
/* Number of successors that can be taken. */
int cs_block_ways(const struct cs_block *b);

#endif
