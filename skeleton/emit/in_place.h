/* SPDX-License-Identifier: BSD-3-Clause
 * Where a collective's buffer was MPI_IN_PLACE. */
#ifndef CS_SKELETON_IN_PLACE_H
#define CS_SKELETON_IN_PLACE_H

#include "skeleton/gen/symbol_args.h"

/* C text of a condition: a collective's buffer `own` was MPI_IN_PLACE ("0": never, "1": always). own, other: the
 * indices of its two buffer arguments. */
const char *cs_gen_in_place(struct cs_gen *g, const struct cs_gen_call *c, int own, int other);

#endif
