/* SPDX-License-Identifier: GPL-3.0-or-later
 * Components of the inner dimension of arrays with a descriptor, as m of x(m, i): what is packed as component 2 into a
 * message is not unpacked as component 1. For people who ask why something is kept: two arrays of messages are taken to
 * have the same bounds. */
#ifndef CS_COMPONENTS_H
#define CS_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "slicer/graph/graph.h"

/* Does the load or store mean elements of one component of an array of several dimensions, by its descriptor? Then that
 * is *component. */
bool cs_component(const struct cs_graph *g, int stmt, int64_t *component);
/* Do both mean one component each, which are not the same? */
bool cs_other_component(const struct cs_graph *g, int stmt, int other);

#endif
