/* SPDX-License-Identifier: GPL-3.0-or-later
 * The slice of a program whose pointers could not be followed within the budget: all that may run is kept, and every
 * message is transmitted. Such a slice is right by construction: it is the program without its error exits. */
#ifndef CS_KEEP_ALL_H
#define CS_KEEP_ALL_H

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"
#include "slicer/model/model.h"

/* Decides every statement of g. Makes the models of calls that points-to has not come to; a call by pointer may reach
 * any function of MPI whose address the program has. Sets *needs (NULL: nowhere) to a graph of needs without edges. */
void cs_keep_all(struct cs_graph *g, struct cs_models *ms, struct cs_needs *needs);

#endif
