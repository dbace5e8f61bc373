/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values that an assumption can be about, as nodes of a need graph; value_nodes.c. */
#ifndef CS_VALUE_NODES_H
#define CS_VALUE_NODES_H

#include "slicer/advise/need_graph.h"

/* Sets ng->edges, and with `values` adds a node for each FILE:LINE:NAME that is needed, in the middle of the steps that
 * an assumption about it cuts. */
void cs_value_nodes_add(struct cs_need_graph *ng, bool values);

#endif
