/* SPDX-License-Identifier: GPL-3.0-or-later
 * The branch without which control does not come to a statement, and the assumption that cuts this way: for refusals of
 * what a program only may do. */
#ifndef CS_WAY_TO_H
#define CS_WAY_TO_H

#include <stddef.h>

#include "slicer/graph/graph.h"
#include "slicer/pointsto/pointsto.h"

/* Writes the assumption (`main.c:12=never`) by which control no longer comes to the statement: of the nearest branch in
 * its function that every way there takes by the same edge, else in its caller, if there is one alone. False, with an
 * empty text, if there is no such branch. */
bool cs_way_to(struct cs_graph *g, const struct cs_pts *pts, int stmt, char *text, size_t size);

#endif
