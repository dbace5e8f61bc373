/* SPDX-License-Identifier: BSD-3-Clause
 * Where a collective's buffer was MPI_IN_PLACE. */
#ifndef CS_SKELETON_IN_PLACE_H
#define CS_SKELETON_IN_PLACE_H

#include "skeleton/gen/symbol_args.h"

/* C text of a condition: where and when a collective's buffer `own` was MPI_IN_PLACE, `other` being its other one
 * (indices of arguments); "0": never, "1": always. */
const char *cs_gen_in_place(struct cs_gen *g, const struct cs_gen_call *c, int own, int other);

#endif
