/* SPDX-License-Identifier: BSD-3-Clause
 * Makes each recorded call of the program as its mark says: with its content, with its envelope only, or not at all. */
#ifndef CS_TRANSMIT_H
#define CS_TRANSMIT_H

#include "commlib/state/call.h"

/* Makes the call, and sets the results that the program sees: statuses, flags, and requests and messages, which are
 * handles of request_table.h. May change c->mark, c->a and c->polled_in_vain. Returns the MPI error code. */
int cs_transmit(struct cs_call *c);

#endif
