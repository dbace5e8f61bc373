/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chains that go from one call to the next by what a library holds, as the position of a stream, and end at a read that
 * the program never comes to behind the first of these calls. */
#ifndef CS_TOO_LATE_H
#define CS_TOO_LATE_H

#include "slicer/advise/chains.h"
#include "slicer/advise/settings.h"

/* Says `never` of the links of those calls. c: its links and steps; flow: how control goes, known; settings: NULL if
 * they are not known. */
void cs_too_late_find(struct cs_chains *c, const struct cs_graph *g, const struct cs_need_flow *flow,
                      struct cs_settings *settings);

#endif
