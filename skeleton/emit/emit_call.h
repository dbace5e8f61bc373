/* SPDX-License-Identifier: BSD-3-Clause
 * One MPI call of the program. */
#ifndef CS_SKELETON_EMIT_CALL_H
#define CS_SKELETON_EMIT_CALL_H

#include "skeleton/gen/symbol_args.h"

/* Writes the call as one or more lines of the body, indented by `depth` levels. 0, or -1 and the reason is set. */
int cs_gen_emit_call(struct cs_gen *g, const struct cs_gen_call *c, int depth);

#endif
