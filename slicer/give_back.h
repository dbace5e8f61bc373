/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which calls that give memory back stay in the slice: those of memory that it takes again and again, so that it does
 * not need more memory than the original. */
#ifndef CS_GIVE_BACK_H
#define CS_GIVE_BACK_H

#include "slicer/live/needs.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* After a propagation: the calls that do nothing but give back memory which a kept statement may take more than once.
 * An array by statement, which the caller frees; NULL if there are none. */
bool *cs_give_back_find(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts);
/* After a propagation with these calls as roots, which noted `needs`: takes out those that would bring too much back
 * with them, or have a message transmitted. True if any is left. */
bool cs_give_back_choose(const struct cs_graph *g, const struct cs_needs *needs, bool *calls);

#endif
