/* SPDX-License-Identifier: BSD-3-Clause
 * How large the program's two buffers have to be. */
#ifndef CS_SKELETON_BUFFER_ROOM_H
#define CS_SKELETON_BUFFER_ROOM_H

#include "skeleton/gen/symbol_args.h"

/* Raises g->send_bytes, recv_bytes, bsend_bytes, bsends and degree to what the call needs. */
void cs_gen_take_buffers(struct cs_gen *g, const struct cs_gen_call *c);

#endif
