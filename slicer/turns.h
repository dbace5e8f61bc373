/* SPDX-License-Identifier: GPL-3.0-or-later
 * How often a loop goes round at most, as far as numbers and sizes of arrays that stand in the program tell. Good for
 * what something costs, not for what is right: a loop may do with its variable what the test does not show. */
#ifndef CS_TURNS_H
#define CS_TURNS_H

#include "slicer/graph/graph.h"
#include "slicer/pointsto/pointsto.h"

/* Of the loop that the COND leaves: its variable goes on by a constant, and is compared with something that can only be
 * one of a few constants, or indexes a variable of known size. 0: nothing is known. */
double cs_turns_at_most(const struct cs_graph *g, struct cs_pts *pts, int cond);

#endif
