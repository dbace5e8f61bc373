/* SPDX-License-Identifier: BSD-3-Clause
 * Computation in the program: calls of work() before MPI calls and loops. */
#ifndef CS_SKELETON_EMIT_GAPS_H
#define CS_SKELETON_EMIT_GAPS_H

#include "skeleton/gen/gen.h"

/* Writes the computation in front of a node: of a symbol, the time before each of its occurrences; of a loop, the time
 * that only entering it takes. */
void cs_gen_emit_work(struct cs_gen *g, int64_t node, int depth);

#endif
