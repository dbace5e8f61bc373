/* SPDX-License-Identifier: GPL-3.0-or-later
 * Branches that ask whether a variable behind a parameter is a number that no statement stores there, as of a field
 * that no caller asks for: `if (fields[9] == 1)`. For people who ask why something is kept: stores that are not seen to
 * be there do not count. */
#ifndef CS_NEVER_STORED_H
#define CS_NEVER_STORED_H

#include "slicer/graph/graph.h"

/* Sets bit i of edges[first[function] + block] for each edge i of a block by which control never goes then. callers: of
 * each function the calls of it. */
void cs_never_stored(const struct cs_graph *g, const struct cs_intlist *callers, const int *first,
                     unsigned char *edges);

#endif
