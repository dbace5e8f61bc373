/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where the pointers to what allocators give are kept: the one at 512 in each element of `chunk`, and nowhere else. Who
 * loads a pointer from there means that memory and no other. For people who ask why something is kept, as
 * pointer_paths.h. */
#ifndef CS_POINTER_HOMES_H
#define CS_POINTER_HOMES_H

#include <stdbool.h>

#include "slicer/advise/pointer_paths.h"
#include "slicer/graph/graph.h"

struct cs_pointer_homes;

/* The graph and the paths must stay. The caller frees it. */
struct cs_pointer_homes *cs_pointer_homes_start(const struct cs_graph *g, struct cs_pointer_paths *paths);
void cs_pointer_homes_free(struct cs_pointer_homes *h);
/* Does the load or store, for this call of its function (-1: any), mean the object, and no other, or another one? */
enum cs_pointer_home { CS_HOME_UNKNOWN, CS_HOME_OWN, CS_HOME_OTHER };
enum cs_pointer_home cs_pointer_homes_mean(struct cs_pointer_homes *h, int stmt, int call, int obj);
/* Do loads and stores of the function mean other memory for some of its calls than for others? */
bool cs_pointer_homes_differ(struct cs_pointer_homes *h, int func);

#endif
