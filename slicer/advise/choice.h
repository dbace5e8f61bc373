/* SPDX-License-Identifier: GPL-3.0-or-later
 * Of many assumptions, those that together free about as much as all of them. It is an estimate, from the needs of one
 * propagation; only slicing again tells. */
#ifndef CS_CHOICE_H
#define CS_CHOICE_H

#include "slicer/advise/need_graph.h"

/* Assumptions to choose from, at most. */
enum { CS_CHOICE_MOST = 4096 };

/* Sets chosen[0] to chosen[n - 1]. The first `fixed` of the texts are assumed in any case. What is chosen only where
 * without it more than a sixth of the program stays: what the number of ranks decides, which costs little to compute
 * and holds where there are more of them; and lists of what was so each time. The graph has its decisions; edges that
 * it marks as never taken are as before afterwards. About how many statements would stay. */
int cs_choice_make(const struct cs_need_graph *ng, struct cs_graph *g, char *const *texts, int n, int fixed,
                   bool any_size, bool *chosen);

#endif
