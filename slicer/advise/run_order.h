/* SPDX-License-Identifier: GPL-3.0-or-later
 * The order of what runs, along a chain from a reader back to who writes, and to who writes what that reads: `solve()`
 * before a loop gets nothing that the loop writes. For people who ask why something is kept: a function that runs again
 * may well leave something for its next run, which is only less likely. */
#ifndef CS_RUN_ORDER_H
#define CS_RUN_ORDER_H

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* What was found of functions and blocks; private to run_order.c. */
struct cs_run_order;

/* callers: of each function the calls of it. All must stay. The caller frees. */
struct cs_run_order *cs_run_order_start(const struct cs_graph *g, const struct cs_need_flow *flow,
                                        const struct cs_intlist *callers);
void cs_run_order_free(struct cs_run_order *o);
/* Does all that runs before the one statement in a run of its function run before the other one, of the same function?
 */
bool cs_run_order_before(struct cs_run_order *o, int a, int b);
/* Of a step from a reader to a writer: what is written may be there in the same turn of the loops round the reader, or
 * the one before; from before such a loop; only in a later run. */
enum cs_run_order_step { CS_ORDER_TOGETHER, CS_ORDER_BEFORE, CS_ORDER_LATER };

/* The chain is in what runs before `when`, a statement, or by this call, in a run of its function (-1: nothing is known
 * of that), and goes from the reader to the writer. Returns the same for the writer, and sets *step. */
int cs_run_order_behind(struct cs_run_order *o, int when, int reader, int writer, enum cs_run_order_step *step);
/* The chain leaves a function by this call of it: likewise. */
int cs_run_order_leave(struct cs_run_order *o, int when, int call, enum cs_run_order_step *step);

#endif
