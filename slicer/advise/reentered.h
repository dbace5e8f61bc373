/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops that a recursion enters again before it leaves them. */
#ifndef CS_REENTERED_H
#define CS_REENTERED_H

#include <stdbool.h>

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* May the statement's function be called again while control is in a loop around the statement: by a call in there, or
 * what that calls? `flow` knows what calls what. */
bool cs_may_reenter(const struct cs_graph *g, const struct cs_need_flow *flow, int stmt);

#endif
