/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which counters of iterations stay in the slice: those that cost next to nothing once it is decided what communication
 * needs. */
#ifndef CS_SLICER_COUNTERS_H
#define CS_SLICER_COUNTERS_H

#include "slicer/control/control_dependence.h"
#include "slicer/live/needs.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"
#include "slicer/slice.h"

/* All calls of the function of this name that the program may come to: an array by statement, which the caller frees.
 * NULL if there are none. */
bool *cs_counters_find(const struct cs_graph *g, const char *name, struct cs_pts *pts);
/* After a propagation with these calls as roots, which noted `needs`: takes out those that would bring back too much
 * for `how`. True if any is left. A message's content is always too much. CS_COUNT_CHEAP: a loop that is not around a
 * whole nest, if it is not known that it goes round a few times only; or a call of a library. CS_COUNT_SETUP: one with
 * MPI calls in it or around it, but for the loops around the call itself. A call has two arguments, the number of the
 * counter and what it adds, and may have a third: over how many loops that is a sum. */
bool cs_counters_choose(const struct cs_graph *g, const struct cs_models *ms, const struct cs_needs *needs,
                        const struct cs_cdep *cdep, struct cs_pts *pts, enum cs_count_how how, bool *calls);

#endif
