/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a call would bring back into the slice, read off the needs of a propagation that had it as a root: for calls
 * that communication does not need, and that stay where they cost little. */
#ifndef CS_REACH_H
#define CS_REACH_H

#include "slicer/graph/graph.h"
#include "slicer/graph/storage.h"
#include "slicer/live/needs.h"

/* The needs by where they begin: those of node i are to[first[i]] .. to[first[i + 1] - 1]. */
struct cs_reach {
    const struct cs_graph *g;
    const struct cs_needs *needs;
    int *first, *to;
    bool *seen;                           /* nodes that are needed without the calls not chosen yet */
    struct cs_intlist found;              /* by the search that is on: nodes that were not */
    int limit;                            /* a search finds at most so many statements */
    bool (*refuses)(void *who, int stmt); /* a search must not find this statement; NULL: any may be found */
    void *who;
};

/* limit and refuses are for the caller to set. What it is given must outlive it. */
void cs_reach_init(struct cs_reach *r, const struct cs_graph *g, const struct cs_needs *n);
void cs_reach_free(struct cs_reach *r);
/* What is needed without the calls. */
void cs_reach_roots(struct cs_reach *r, const bool *calls);
/* How many statements a node needs that were not needed before: they are from now on. -1, and nothing is changed, if
 * they are too many, one is refused, or the content or envelope of a message is among what is needed. */
int cs_reach_search(struct cs_reach *r, int node);
/* What the last search has found was not needed after all. */
void cs_reach_forget(struct cs_reach *r);

#endif
