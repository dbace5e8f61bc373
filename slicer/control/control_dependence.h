/* SPDX-License-Identifier: GPL-3.0-or-later
 * Control dependence of the blocks of a function (Ferrante, Ottenstein, Warren 1987: the post-dominance frontier), and
 * the way out of a branch that is not kept. */
#ifndef CS_CONTROL_DEPENDENCE_H
#define CS_CONTROL_DEPENDENCE_H

#include "slicer/graph/graph.h"
#include "slicer/graph/storage.h"

/* Of one function; arrays by block, owned, with one entry more than there are blocks. */
struct cs_cdep {
    int nblocks;
    int *ipdom;                /* immediate post-dominator, CS_BLOCK_EXIT, or -1 for unreachable blocks */
    int *exit_dist;            /* how many edges lead to the exit, at least; -1: there is no way */
    struct cs_intlist *before; /* reachable blocks of which it is the immediate post-dominator */
    struct cs_intlist *on;     /* blocks whose branch decides whether this block runs */
};
/* Needs `reachable` of the blocks (cfg.h). Fills *cd, which cs_cdep_free() frees. */
void cs_cdep_compute(const struct cs_graph *g, int func, struct cs_cdep *cd);
void cs_cdep_free(struct cs_cdep *cd);
/* The successor (index) by which a branch that is not kept leaves its region: the one nearest to the exit, so never
 * round a loop. 0 if no successor can be taken. */
int cs_cdep_way_out(const struct cs_graph *g, int func, int block, const struct cs_cdep *cd);

#endif
