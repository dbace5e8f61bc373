/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which functions, and which statements, run once at most in a program. */
#ifndef CS_ONCE_H
#define CS_ONCE_H

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* nfuncs answers, each found when it is first asked for. */
struct cs_once {
    const struct cs_graph *g;
    const struct cs_need_flow *flow;
    const struct cs_intlist *callers; /* of each function, the calls of it */
    char *known;                      /* known[function]: once (1), or maybe more often (2), 0: not asked yet */
};

/* What is given must stay. */
void cs_once_start(struct cs_once *o, const struct cs_graph *g, const struct cs_need_flow *flow,
                   const struct cs_intlist *callers);
void cs_once_free(struct cs_once *o);
/* Does the function run once at most, so that its variables are there once? */
bool cs_once_runs(struct cs_once *o, int func);
/* Does the statement? */
bool cs_once_stmt(struct cs_once *o, int stmt);

#endif
