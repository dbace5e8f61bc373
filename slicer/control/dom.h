/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominators of the blocks of one function, over the edges that can be taken.
 * Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001. */
#ifndef CS_DOM_H
#define CS_DOM_H

#include "slicer/graph/graph.h"

/* Of one function; num and idom are indexed by block and have one entry for each, order has n. cs_dom_free() frees
 * them, and leaves the numbers as they are. */
struct cs_dom {
    int n;      /* reachable blocks */
    int *order; /* them in reverse postorder, the entry first */
    int *num;   /* block -> place in order, -1 if it cannot be reached */
    int *idom;  /* immediate dominator, -1 if the block cannot be reached; the entry's is itself */
};

void cs_dom_compute(const struct cs_graph *g, int func, struct cs_dom *d);
void cs_dom_free(struct cs_dom *d);
/* The nearest block that dominates both, which must be reachable. */
int cs_dom_common(const struct cs_dom *d, int a, int b);
/* Does every way from the entry to b come through a? False if one of them cannot be reached. */
bool cs_dom_dominates(const struct cs_dom *d, int a, int b);

#endif
