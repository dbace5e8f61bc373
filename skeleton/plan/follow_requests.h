/* SPDX-License-Identifier: BSD-3-Clause
 * How far back calls refer to requests, and which requests calls like MPI_Waitany complete. */
#ifndef CS_SKELETON_FOLLOW_REQUESTS_H
#define CS_SKELETON_FOLLOW_REQUESTS_H

#include "skeleton/gen/gen.h"

/* Sets deferred[], has_deferred, open_at[], kept_node[], wildcards, and the room for requests and messages. 0 or -1. */
int cs_gen_follow_requests(struct cs_gen *g);

#endif
