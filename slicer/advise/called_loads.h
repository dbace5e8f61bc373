/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loads of what is called: of a function's address, from a table of virtual functions or a variable. No number that is
 * computed, and no memory that is cleared, is one. */
#ifndef CS_CALLED_LOADS_H
#define CS_CALLED_LOADS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* Sets is[], by statement, of each load of which the value is called. */
void cs_called_loads_find(const struct cs_graph *g, bool *is);
/* Can the statement, which writes memory, write an address there? False only if it surely does not. */
bool cs_writes_address(const struct cs_graph *g, int stmt);

#endif
