/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stores that copy what a buffer has behind other elements, as `x[first + i] = buf[i]`, and reads of the first
 * elements, as `x[i]` of a loop from 0 on: what comes in messages is mostly put behind what is a rank's own. For people
 * who ask why something is kept: a guess. */
#ifndef CS_UNPACKS_H
#define CS_UNPACKS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* The load of which the statement stores the value as it is, through a pointer; -1: it is none. */
int cs_copies_from(const struct cs_graph *g, int stmt);
/* Does the store's place depend on more than what a loop counts from a number on? */
bool cs_stores_behind(const struct cs_graph *g, int stmt);
/* Does the statement store what it reads through a parameter, at a place that another parameter says? */
bool cs_unpacks(const struct cs_graph *g, int stmt);
/* Does it read elements of an array that a loop counts from a number on, and nothing else tells? */
bool cs_reads_first(const struct cs_graph *g, int stmt);

#endif
