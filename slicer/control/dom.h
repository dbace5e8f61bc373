/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dominators of the blocks of one function, over the edges that can be taken.
 * Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001. */
#ifndef CS_DOM_H
#define CS_DOM_H

#include "slicer/graph/graph.h"

struct cs_dom {
    int n;      /* reachable blocks */
    int *order; /* them in reverse postorder, the entry first */
    int *num;   /* block -> place in order, -1 if it cannot be reached */
    int *idom;  /* immediate dominator; the entry's is itself */
};

void cs_dom_compute(const struct cs_graph *g, int func, struct cs_dom *d);
void cs_dom_free(struct cs_dom *d);
/* The nearest block that dominates both, which must be reachable. */
int cs_dom_common(const struct cs_dom *d, int a, int b);
bool cs_dom_dominates(const struct cs_dom *d, int a, int b);

#endif
