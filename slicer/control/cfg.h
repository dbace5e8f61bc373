/* SPDX-License-Identifier: GPL-3.0-or-later
 * Control flow of one function at a time: which edges can be taken in a run that ends normally, post-dominators,
 * control dependence (Ferrante, Ottenstein, Warren 1987: the post-dominance frontier), and ways out for branches that
 * are not kept. */
#ifndef CS_CFG_H
#define CS_CFG_H

#include "slicer/graph/graph.h"
#include "slicer/model/model.h"
#include "slicer/graph/storage.h"

/* Marks edges as never taken that lead only to an error exit, and exception edges of programs that catch nothing;
 * sets `reachable`. With keep_errors only reachability is computed. */
void cs_cfg_prune(struct cs_graph *g, const struct cs_effects *fx, bool keep_errors);
/* Recomputes `reachable` of a function from its entry over edges that can be taken. */
void cs_cfg_reach(struct cs_graph *g, int func);

/* Control dependence of every block of a function. */
struct cs_cdep {
    int nblocks;
    int *ipdom;            /* immediate post-dominator, CS_BLOCK_EXIT, or -1 for unreachable blocks */
    int *exit_dist;        /* edges to the exit; -1: there is no way */
    struct cs_intlist *on; /* blocks whose branch decides whether this block runs */
};
void cs_cdep_compute(const struct cs_graph *g, int func, struct cs_cdep *cd);
void cs_cdep_free(struct cs_cdep *cd);
/* The successor (index) by which a branch that is not kept leaves its region: never round a loop. */
int cs_cdep_way_out(const struct cs_graph *g, int func, int block, const struct cs_cdep *cd);
/* Number of successors that can be taken. */
int cs_block_ways(const struct cs_block *b);

#endif
