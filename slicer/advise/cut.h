/* SPDX-License-Identifier: GPL-3.0-or-later
 * The fewest nodes of a need graph through which every way from the root to one node leads. */
#ifndef CS_CUT_H
#define CS_CUT_H

#include "slicer/advise/need_graph.h"

/* What several questions about one graph share. An edge is a place in ng->to. Its arrays are its own. */
struct cs_cuts {
    const struct cs_need_graph *ng;
    int *edge;            /* the edges into node v: edge[ng->rfirst[v]] .. edge[ng->rfirst[v + 1] - 1] */
    char *flow, *through; /* by edge, by node */
    int *from;            /* how a state was come to, -1: not at all */
    int64_t steps;        /* states that all questions have looked at */
};

void cs_cuts_start(struct cs_cuts *c, const struct cs_need_graph *ng);
void cs_cuts_free(struct cs_cuts *c);
/* Of the smallest sets of nodes with can[node] that cut `target` off from the root, one nearest to the root and one
 * nearest to the target. Their size; 0: there is none of at most `most` nodes. */
int cs_cut_off(struct cs_cuts *c, const char *can, int target, int most, int *near_root, int *near_target);

#endif
