/* SPDX-License-Identifier: BSD-3-Clause
 * Moves the content of marked calls, and makes the others look done. */
#ifndef CS_TRANSMIT_H
#define CS_TRANSMIT_H

#include "commlib/state/call.h"

/* Does the call, as far as its mark wants it (docs/developers/architecture.md). Requests and messages that are handed
 * to the program are handles of request_table.h. Returns the MPI error code. */
int cs_transmit(struct cs_call *c);

#endif
