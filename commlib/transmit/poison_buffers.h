/* SPDX-License-Identifier: BSD-3-Clause
 * Test only: a call whose mark was dropped on purpose overwrites its receive buffer, so that a slice that needs the
 * content goes wrong for sure. See docs/developers/checker.md. */
#ifndef CS_POISON_BUFFERS_H
#define CS_POISON_BUFFERS_H

#include "commlib/state/call.h"

/* Fills the receive buffer of the call, but no gaps of its datatype; where each rank has its own count, only the first
 * rank's part. To be called when the call has returned. Nonblocking calls, too: the program may not look at the buffer
 * before it waits, so filling it early does no harm. */
void cs_poison_received(const struct cs_call *c);

#endif
