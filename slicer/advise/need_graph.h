/* SPDX-License-Identifier: GPL-3.0-or-later
 * The needs of a propagation (live/needs.h) as a graph to search: what a node needs, who needs it, through which nodes
 * every way to it leads. Branches of one source line are one node, as one assumption decides them. */
#ifndef CS_NEED_GRAPH_H
#define CS_NEED_GRAPH_H

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* Arrays by node. Edges of node i: to[first[i]] .. to[first[i + 1] - 1]; likewise from. */
struct cs_need_graph {
    const struct cs_graph *g;
    const struct cs_needs *needs;
    int n;
    int *line; /* branch: the node of the first branch of its file and line; else the node itself */
    int *first, *to, *rfirst, *from;
    int *idom; /* the last node through which every way from the root leads; -1: root, or not reached */
    int *held; /* statements that are LIVE only by this node, itself counted */
};

/* Builds it. The graph must have its decisions. Without `join` each branch is a node of its own, and there are no
 * dominators. Free *ng in any case. */
void cs_need_graph_build(struct cs_need_graph *ng, const struct cs_graph *g, const struct cs_needs *needs, bool join);
void cs_need_graph_free(struct cs_need_graph *ng);
/* The node of a kept statement. */
int cs_need_graph_node(const struct cs_need_graph *ng, int stmt);
/* The statement of a node; -1: it stands for none. */
int cs_need_graph_stmt(const struct cs_need_graph *ng, int node);
/* Is it the node of a line's branches? */
bool cs_need_graph_is_branch(const struct cs_need_graph *ng, int node);

#endif
