/* SPDX-License-Identifier: BSD-3-Clause
 * Computation in the program: calls of work() before MPI calls and loops. */
#ifndef CS_SKELETON_EMIT_GAPS_H
#define CS_SKELETON_EMIT_GAPS_H

#include "skeleton/gen/gen.h"

/* Writes, before a symbol, what each of its occurrences has; before a loop, what its first symbols have more on
 * entering. */
void cs_gen_emit_work(struct cs_gen *g, int64_t node, int depth);

#endif
