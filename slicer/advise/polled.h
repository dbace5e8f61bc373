/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a rank comes to as often as messages permit: what it had there the second time in one run it may have the third
 * time in the next one. */
#ifndef CS_POLLED_H
#define CS_POLLED_H

#include "api/assumed_value.h"
#include "slicer/advise/candidates.h"
#include "slicer/advise/need_graph.h"

/* Of each statement: does how often it runs depend on arrivals? Of each node of the need graph: does what it computes
 * depend on them, also by what a condition let happen? */
struct cs_polled {
    bool *stmt, *node;
};

void cs_polled_find(struct cs_polled *p, const struct cs_need_graph *ng);
void cs_polled_free(struct cs_polled *p);
/* Whether it may come at another time in the next run, or be another one as messages come, at any statement of the line
 * of the branch, or of the value. */
enum cs_seen_order cs_polled_candidate(const struct cs_polled *p, const struct cs_need_graph *ng,
                                       const struct cs_candidate *c);

#endif
