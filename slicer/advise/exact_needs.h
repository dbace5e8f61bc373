/* SPDX-License-Identifier: GPL-3.0-or-later
 * Needs in which each read of a place in memory asks only those whose writes can arrive at it (arrivals.h). */
#ifndef CS_EXACT_NEEDS_H
#define CS_EXACT_NEEDS_H

#include "slicer/advise/settings.h"
#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* Sets *out to a copy of `needs`, for cs_needs_free(). A place of which some writes cannot arrive at all of its reads
 * has a further node for those reads of which the same writes can; edges to the place that was there are doubtful.
 * settings: NULL if none are known. */
void cs_exact_needs(const struct cs_graph *g, const struct cs_needs *needs, struct cs_settings *settings,
                    struct cs_needs *out);

#endif
