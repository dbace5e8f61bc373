/* SPDX-License-Identifier: BSD-3-Clause
 * Loops whose iterations complete the requests that they make. */
#ifndef CS_SKELETON_SELF_COMPLETING_H
#define CS_SKELETON_SELF_COMPLETING_H

#include "skeleton/gen/gen.h"

/* Is the loop self-completing: does each iteration complete the requests that it makes, and no others? Needs
 * cs_gen_follow_requests. */
bool cs_gen_is_self_completing(struct cs_gen *g, int64_t loop);

#endif
