/* SPDX-License-Identifier: GPL-3.0-or-later
 * Collective calls of which one rank hardly is in one while another rank is in the other: the program comes by the one
 * only once it has left what leads to the other, and each rank goes that way. For people who ask why something is kept.
 */
#ifndef CS_MEETINGS_H
#define CS_MEETINGS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* What was found of a graph; private to meetings.c. */
struct cs_meetings;

/* callers: of each function the calls of it. What is given must stay. The caller frees it. */
struct cs_meetings *cs_meetings_start(const struct cs_graph *g, const struct cs_need_flow *flow,
                                      const struct cs_intlist *callers);
void cs_meetings_free(struct cs_meetings *m);
/* May two calls be parts of one operation, as far as the order tells in which the program comes by them? */
bool cs_may_meet(struct cs_meetings *m, int call, int other);

#endif
