/* SPDX-License-Identifier: BSD-3-Clause
 * Finds where the generated program may have barriers of its own: g->together[]. */
#ifndef CS_SKELETON_TOGETHER_H
#define CS_SKELETON_TOGETHER_H

#include "skeleton/gen/gen.h"

/* Sets together[]. Needs cs_gen_divide. 0 or -1. */
int cs_gen_together(struct cs_gen *g);

#endif
