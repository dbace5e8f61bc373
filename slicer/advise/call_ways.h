/* SPDX-License-Identifier: GPL-3.0-or-later
 * By how many ways of calls a program comes to each function, and so how many pieces of memory one statement allocates
 * for different callers. */
#ifndef CS_CALL_WAYS_H
#define CS_CALL_WAYS_H

#include "slicer/graph/graph.h"

/* By how many ways of calls the program comes to each function, 1 at least, as far as kept calls name it. The graph
 * must have its decisions. The caller frees it. */
int *cs_runs_count(const struct cs_graph *g);
/* How many pieces of memory the object may stand for; runs: as counted. */
int cs_pieces(const struct cs_graph *g, const int *runs, int obj);

#endif
