/* SPDX-License-Identifier: GPL-3.0-or-later
 * Statements of which a rank runs only one, as `if (rank == 0)` and `if (rank != 0)` decide it, where the rank is a
 * variable that is set once, or what a function without arguments returns of one. For people who ask why something is
 * kept: what is set twice by the way of pointers is not seen. */
#ifndef CS_EXCLUSIVE_H
#define CS_EXCLUSIVE_H

#include "slicer/graph/graph.h"

/* What was found of blocks and variables; private to exclusive.c. */
struct cs_exclusive;

/* The graph must stay. The caller frees. */
struct cs_exclusive *cs_exclusive_start(const struct cs_graph *g);
void cs_exclusive_free(struct cs_exclusive *x);
/* Does no rank run both statements? */
bool cs_are_exclusive(struct cs_exclusive *x, int a, int b);

#endif
