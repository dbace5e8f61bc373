/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which statements assign a handle of MPI to a variable. Its number depends on how many handles were made before, of
 * which a slice makes fewer: no assumption about it can hold. */
#ifndef CS_HANDLE_VALUES_H
#define CS_HANDLE_VALUES_H

#include "slicer/graph/graph.h"
#include "slicer/pointsto/pointsto.h"

/* Sets `handles` of each statement that assigns a variable with a name. */
void cs_handles_find(struct cs_graph *g, struct cs_pts *pts);

#endif
