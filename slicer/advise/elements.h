/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which elements of which array a store and a read mean, by how their addresses are computed. For people who ask why
 * something is kept: what nothing is known of may be the same. */
#ifndef CS_ELEMENTS_H
#define CS_ELEMENTS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* What was found of statements; private to elements.c. */
struct cs_elements;

/* callers: of each function the calls of it; graph and calls must stay. The caller frees it. */
struct cs_elements *cs_elements_start(const struct cs_graph *g, const struct cs_intlist *callers);
void cs_elements_free(struct cs_elements *e);
/* May the store write what the load reads, if both mean one array? Not x[3 * i] and x[3 * i + 1], nor a real number and
 * a pointer. */
bool cs_elements_meet(struct cs_elements *e, int store, int load);
/* Does the load, by how its address is computed, mean only some elements of an array? */
bool cs_elements_some(struct cs_elements *e, int load);
/* Do two loads mean the same elements of their arrays, by the same words? */
bool cs_elements_same(struct cs_elements *e, int load, int other);
/* May both mean one array? Not if their pointers are different members of elements of one array, as loaded for them, or
 * for the calls that pass them: that one, or (-1) any. */
bool cs_arrays_meet(struct cs_elements *e, int store, int store_call, int load, int load_call);

#endif
