/* SPDX-License-Identifier: GPL-3.0-or-later
 * Points-to of the whole program, and the branches that its constants decide: their other edges are never taken, and
 * what is behind them points nowhere. */
#ifndef CS_SLICER_DECIDE_H
#define CS_SLICER_DECIDE_H

#include "slicer/graph/learnt.h"
#include "slicer/pointsto/pointsto.h"

/* Adds models of calls to ms. The caller frees the result. Takes the steps of points-to off *budget; NULL if they do
 * not suffice for a first solution. `learnt`, unless NULL: begins with what was learnt of the same graph under no more
 * assumptions, and sets it to what is known now. */
struct cs_pts *cs_decide(struct cs_graph *g, struct cs_models *ms, struct cs_pts_budget *budget,
                         struct cs_learnt *learnt);

#endif
