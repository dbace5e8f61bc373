/* SPDX-License-Identifier: GPL-3.0-or-later
 * How much alike the conditions are under which two statements run, by what these ask: a message from the left is
 * unpacked where there is somebody on the left. For people who ask why something is kept: it proves nothing. */
#ifndef CS_OCCASIONS_H
#define CS_OCCASIONS_H

#include <limits.h>

#include "slicer/graph/graph.h"

/* No condition of the one asks what one of the other does. */
enum { CS_NOT_ALIKE = INT_MIN };
/* What was found of statements; private to occasions.c. */
struct cs_occasions;

/* The graph must stay. The caller frees it. */
struct cs_occasions *cs_occasions_start(const struct cs_graph *g);
void cs_occasions_free(struct cs_occasions *o);
/* Two for each condition that they share, less one for each condition of each. */
int cs_occasions_alike(struct cs_occasions *o, int stmt, int other);

#endif
