/* SPDX-License-Identifier: GPL-3.0-or-later
 * Assignments to strings of Fortran, which the compiler makes of two calls: `word = line(1:s)` copies s characters and
 * fills the rest with blanks. Both together replace all of the variable. */
#ifndef CS_STRING_FILLS_H
#define CS_STRING_FILLS_H

#include "slicer/graph/graph.h"

/* Is the statement the first one of two such calls for the object, with the other one behind it in its block? */
bool cs_begins_fill(const struct cs_graph *g, int stmt, int obj);
/* Does the statement fill an object from nobody knows where on? */
bool cs_fills_behind(const struct cs_graph *g, int stmt);
/* Does the statement call what the compiler makes of assignments in Fortran? There the program calls nothing. */
bool cs_is_assignment(const struct cs_graph *g, int stmt);

#endif
