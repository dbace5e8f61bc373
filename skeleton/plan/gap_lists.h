/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of recorded gaps, for symbols whose gaps are far from their mean: g->gaps[]. */
#ifndef CS_SKELETON_GAP_LISTS_H
#define CS_SKELETON_GAP_LISTS_H

#include "skeleton/gen/gen.h"

/* Sets gaps[] if the program computes and its times come from the trace itself. Needs cs_gen_divide. 0 or -1. */
int cs_gen_list_gaps(struct cs_gen *g);
/* Frees gaps[], which may be NULL. */
void cs_gen_free_gaps(struct cs_gen *g);

#endif
