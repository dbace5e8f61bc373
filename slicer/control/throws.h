/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which calls may end in an exception, of which GCC says so only where it optimises.
 * An edge to a handler behind a call that cannot throw is never taken: without this the call itself decides what comes
 * after it. */
#ifndef CS_THROWS_H
#define CS_THROWS_H

#include "slicer/model/effects.h"
#include "slicer/graph/graph.h"

/* Marks exception edges of calls that cannot throw or jump as never taken; sets `reachable`. With keep_errors, what the
 * effects table calls an error may throw. */
void cs_throws_prune(struct cs_graph *g, const struct cs_effects *fx, bool keep_errors);
/* May a library function with this row call functions of the program? */
bool cs_throws_calls_back(const struct cs_effect *e);

#endif
