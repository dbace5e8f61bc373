/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stores to elements of an array that a later loop of the same function updates in place, as f[i] = 0 before
 * f[i] += ...: who reads the array behind that hardly reads what they wrote, but what the update made of it. */
#ifndef CS_UPDATED_AFTER_H
#define CS_UPDATED_AFTER_H

#include <stdbool.h>

#include "slicer/advise/elements.h"
#include "slicer/control/control_dependence.h"
#include "slicer/control/dom.h"
#include "slicer/graph/graph.h"

/* By function; and, if `answered`, by statement the stores that update what it stores. */
struct cs_updated_after {
    const struct cs_graph *g;
    struct cs_elements *elements;
    struct cs_dom *dom;
    struct cs_cdep *cdep;
    bool *known, *answered;
    struct cs_intlist *by;
    int *alike; /* rewritten.h */
};

/* Graph and elements must stay. Free *u in any case. */
void cs_updated_after_start(struct cs_updated_after *u, const struct cs_graph *g, struct cs_elements *elements);
void cs_updated_after_free(struct cs_updated_after *u);
/* Is the statement a store that is updated so, under no more conditions than it runs under, before the reader, if that
 * is in the same function? -1: it is in another one. */
bool cs_is_updated_after(struct cs_updated_after *u, int stmt, int reader);

#endif
