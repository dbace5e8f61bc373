/* SPDX-License-Identifier: GPL-3.0-or-later
 * The needs of a propagation (live/needs.h) as a graph to search: what a node needs, who needs it, through which nodes
 * every way to it leads. Branches of one source line are one node, as one assumption decides them. Values that an
 * assumption can be about are nodes, too, between what asks for the value and what makes it. */
#ifndef CS_NEED_GRAPH_H
#define CS_NEED_GRAPH_H

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A value that an assumption can be about: value number `which` of a statement (control/named_values.h). */
struct cs_need_value {
    int stmt, which;
};

/* Arrays by node: those of `needs`, then nvalues nodes of values. Edges of node i: to[first[i]] .. to[first[i + 1] -
 * 1]; likewise from. */
struct cs_need_graph {
    const struct cs_graph *g;
    const struct cs_needs *needs;
    int n, nvalues;
    struct cs_need_value *values;
    int nedges;
    struct cs_need_edge *edges;
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
/* The kind of a node, and its statement or value of the program, or -1; that of a value's node is CS_NEED_OTHER. */
enum cs_need_kind cs_need_graph_kind(const struct cs_need_graph *ng, int node, int *what);
/* The value that the node stands for, NULL: it is no value's. */
const struct cs_need_value *cs_need_graph_value(const struct cs_need_graph *ng, int node);
/* Is it the node of a line's branches? */
bool cs_need_graph_is_branch(const struct cs_need_graph *ng, int node);
/* Does the branch `to` only decide whether `from` runs, and not what a merge or a place in memory holds? */
bool cs_need_graph_only_control(const struct cs_need_graph *ng, int from, int to);

#ifdef __cplusplus
}
#endif

#endif
