/* SPDX-License-Identifier: GPL-3.0-or-later
 * The best way from the root to each node of the needs of a propagation (live/needs.h): one that the program can go,
 * and the least doubtful. */
#ifndef CS_WAYS_H
#define CS_WAYS_H

#include "slicer/advise/guards.h"
#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nodes are those of `needs`, then one for each call of which the result, or what it writes, needs an argument: nextra,
 * of the calls in extra[], for what the node in written[] writes, -1. Edges of node i: edges[first[i]] .. edges[first[i
 * + 1] - 1]. A state is 2 * node + 1 where the way has come into the node's function from a call that asks for its
 * result, or for what it writes, so that it must leave it for that one, else 2 * node. A mark is a best way to a state,
 * for the settings (settings.h) with which the program can go it: edge: by which it comes there, -1: it is the root;
 * from: the mark before it; call: by which it is in the node's function, if that skips something (constant_calls.h),
 * -1; read: of a place, or a message, the statement that reads some elements of it (elements.h), -1: nothing is known
 * of who does; plus the number of statements: by a message; bind: what is known of a loop's
 * counter where that reads, or in the function in which the way is, by the element that it is asked for, -1; part:
 * likewise the part of it (index_ranges.h); reader: of a place that some may write for others (partners.h) the function
 * that reads it, -1; obj: the last one that it came by, -1; guards: that it has come by in this run of its function,
 * later than what it comes to (guards.h); later: the first statement there, -1; first: of a place, by a read of its
 * first elements (unpacks.h); wrote: in a function, inner, that is asked to write something: the first one of writes[]
 * that says which calls ask for it, or (-2 less a node for what functions change) who does, -1: not known; maker: in a
 * function that makes memory for who calls it, the call for which it does, -1: not known; when: what it comes to runs
 * before this statement, or by this call, in a run of its function (run_order.h), -1: not known; own: the call for
 * which the way is in a function of which the calls mean other memory each (pointer_homes.h), -1: not known; told: it
 * is known which memory the edge means; broken: the program cannot go on so. Mark 0 is the root's. */
struct cs_ways {
    const struct cs_graph *g;
    const struct cs_needs *needs;
    int n, nextra, aextra, awritten, *extra, *written;
    struct cs_way_node {
        enum cs_need_kind kind;
        int what;
    } * nodes; /* the kind of each node of `needs`, as it is asked for at every step */
    int nwrites;
    struct cs_need_write *writes; /* those of `needs`, sorted by place, statement and call, each once */
    int nedges, aedges;
    struct cs_way_edge {
        int from, to, call, among; /* as in struct cs_need_edge; among is 1 at least, and counts what the allocation
                                      of the place may be */
        int cost;
        bool same;   /* from a read to a store through the same pointer */
        bool writes; /* from a place to a statement that writes it through a parameter, where it is known for whom */
        bool doubtful, loose, unsure, unlikely; /* as in struct cs_need_edge */
        int copy;
        int read; /* to a place, from a call for what it does: 1 + the load in what it calls; 0: not known; -1: a
                   message */
    } * edges;
    int *first;
    int *runs; /* of each function: by how many ways of calls the program comes to it */
    int nmarks, amarks;
    struct cs_way_mark {
        int state, settings, call, read, bind, part, reader, edge, from, cost, obj;
        cs_guard_set guards;
        int later, wrote, inner, maker, when, own;
        int next; /* another one of its state, -1 */
        bool broken, first, told;
        bool dropped; /* there is a better one */
    } * marks;
    int *marked; /* of each state its first mark, -1 */
};

/* The graph must have its decisions; flow: how control goes, which `needs` need not say; settings: NULL if that is not
 * known. Free *w in any case. */
void cs_ways_find(struct cs_ways *w, const struct cs_graph *g, const struct cs_needs *needs,
                  const struct cs_need_flow *flow, struct cs_settings *settings);
void cs_ways_free(struct cs_ways *w);
/* The mark of the best way to a node, -1: no way leads to it. */
int cs_ways_best(const struct cs_ways *w, int node);
/* The node of a mark. */
int cs_ways_node(const struct cs_ways *w, int mark);
/* The kind of a node, and its statement or value, or -1. An extra node is the call's. */
enum cs_need_kind cs_ways_kind(const struct cs_ways *w, int node, int *what);

#ifdef __cplusplus
}
#endif
#endif
