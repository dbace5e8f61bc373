/* SPDX-License-Identifier: GPL-3.0-or-later
 * What of a slice would no longer be run if a condition never, or always, held. */
#ifndef CS_DEAD_CODE_H
#define CS_DEAD_CODE_H

#include "slicer/control/assume.h"
#include "slicer/graph/graph.h"

/* What control finds in each block, as the graph is now; only which edges are never taken may change after that. */
struct cs_code *cs_code_new(const struct cs_graph *g);
void cs_code_free(struct cs_code *c);

/* Searches from where the program begins. Kept statements that control comes to; stmt: a branch of whose line the
 * condition never or always holds, or -1. */
int cs_code_reached(struct cs_code *c, int stmt, enum cs_assume_kind kind);
/* Did the last search, or what was added to it, come to the block? Not where the function is not
 * defined, or has no such block. */
bool cs_code_has(const struct cs_code *c, int func, int block);
/* Control comes to one more block, and from there on; appends pairs of a function and a block that are new. */
void cs_code_reach_more(struct cs_code *c, int func, int block, struct cs_intlist *came);
/* Control does not come to the block after all. */
void cs_code_take_back(struct cs_code *c, int func, int block);

#endif
