/* SPDX-License-Identifier: BSD-3-Clause
 * Test only: a call that has lost its mark on purpose leaves poison where the content would have come in.
 * docs/developers/checker.md says what that is good for. */
#ifndef CS_POISON_BUFFERS_H
#define CS_POISON_BUFFERS_H

#include "commlib/state/call.h"

/* Fills what the call would receive: of vectors by rank the first rank's part, of datatypes the bytes that they name.
 * To be called when the call is done; for a nonblocking one that is early, but before the program may look. */
void cs_poison_received(const struct cs_call *c);

#endif
