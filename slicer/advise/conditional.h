/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which statements run only under a condition of their function that is not that of a loop: what is in a loop is taken
 * to run. */
#ifndef CS_CONDITIONAL_H
#define CS_CONDITIONAL_H

#include "slicer/control/control_dependence.h"
#include "slicer/graph/graph.h"

/* What is known of a graph; by function, found when it is first asked for. */
struct cs_conditional {
    const struct cs_graph *g;
    struct cs_cdep *cdep;
    bool *known;
};

/* The graph must stay. Free *c in any case. */
void cs_conditional_start(struct cs_conditional *c, const struct cs_graph *g);
void cs_conditional_free(struct cs_conditional *c);
bool cs_is_conditional(struct cs_conditional *c, int stmt);
/* Adds the branches that decide whether the statement runs, those of loops left out. */
void cs_conditions_of(struct cs_conditional *c, int stmt, struct cs_intlist *branches);
/* Which blocks of the function decide whether which run; it stays until *c is freed. */
const struct cs_cdep *cs_conditional_cdep(struct cs_conditional *c, int func);

#endif
