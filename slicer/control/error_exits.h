/* SPDX-License-Identifier: GPL-3.0-or-later
 * Error exits: what leads only to abort(), MPI_Abort() or an end of the program between MPI_Init and MPI_Finalize is
 * not part of a run that ends normally, so a branch that guards it decides nothing. */
#ifndef CS_ERROR_EXITS_H
#define CS_ERROR_EXITS_H

#include "slicer/graph/graph.h"
#include "slicer/model/effects.h"

/* Marks edges as never taken that lead only to an error exit, and exception edges of programs that catch nothing; sets
 * `reachable`, and `only_errors` of functions. With keep_errors only exception edges are marked. */
void cs_error_exits_prune(struct cs_graph *g, const struct cs_effects *fx, bool keep_errors);

#endif
