/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which elements of which array a store and a read mean, by how their addresses are computed. For people who ask why
 * something is kept: what nothing is known of may be the same. */
#ifndef CS_ELEMENTS_H
#define CS_ELEMENTS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* May the store write what the load reads, if both mean one array? Not x[3 * i] and x[3 * i + 1], nor a real number and
 * a pointer. */
bool cs_elements_meet(const struct cs_graph *g, int store, int load);
/* May both mean one array? Not if their pointers are different members of elements of one array, as loaded for them, or
 * for the calls that pass them: that one, or (-1) any; callers: of each function the calls of it. */
bool cs_arrays_meet(const struct cs_graph *g, const struct cs_intlist *callers, int store, int store_call, int load,
                    int load_call);

#endif
