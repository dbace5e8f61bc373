/* SPDX-License-Identifier: BSD-3-Clause
 * The body of the program. */
#ifndef CS_SKELETON_EMIT_NEST_H
#define CS_SKELETON_EMIT_NEST_H

#include "skeleton/gen/gen.h"

/* Writes the whole nest into g->body. 0, or -1 and the reason is set. */
int cs_gen_emit_nest(struct cs_gen *g);

#endif
