/* SPDX-License-Identifier: GPL-3.0-or-later
 * Elements that a function itself computes, as told by a list: it reads and stores others by the same number. What
 * other ranks send is behind those, and read by other numbers, as those of neighbours. For people who ask why something
 * is kept. */
#ifndef CS_OWN_ELEMENTS_H
#define CS_OWN_ELEMENTS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* Sets the flags, of statements, of the loads that read such an element. */
void cs_own_loads_find(const struct cs_graph *g, bool *is);

#endif
