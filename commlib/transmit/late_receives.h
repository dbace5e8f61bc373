/* SPDX-License-Identifier: BSD-3-Clause
 * Receives of envelopes that nobody waits for: they only take messages out of the way of other receives. The rank goes
 * on, and its receives end when their messages come; so ranks need not run in turns. Only in a slice in which nothing
 * shows what other ranks did first, and under engine emulate. */
#ifndef CS_LATE_RECEIVES_H
#define CS_LATE_RECEIVES_H

#include <stdbool.h>

#include "commlib/record/request_table.h"
#include "commlib/state/call.h"

/* Need this receive, with others in one call or alone, not be waited for? */
bool cs_late_call(const struct cs_call *c);
/* Begins the receive of the call, and makes what it sends. Returns an MPI error code. */
int cs_late_receive(struct cs_call *c);
/* A call is about to complete the request, and asks for no status. If it is such a receive, it becomes a fake, which is
 * complete. */
void cs_late_request(struct cs_request *r);
/* Waits for all of them: at the end of the rank, so that a message that never comes shows there. */
void cs_late_end(void);

#endif
