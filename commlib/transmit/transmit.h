/* SPDX-License-Identifier: BSD-3-Clause
 * What an engine has to offer: it moves the content of marked calls and makes the others look done.
 * The recorder does not know which engine is underneath; the preloaded library decides. */
#ifndef CS_TRANSMIT_H
#define CS_TRANSMIT_H

#include "commlib/state/call.h"

struct cs_engine {
    const char *name; /* as in cs_run_info */
    /* Does the call, as far as its mark wants it (docs/developers/architecture.md). Requests and messages that are
     * handed to the program are handles of request_table.h. Returns the MPI error code. */
    int (*perform)(struct cs_call *c);
};

extern const struct cs_engine cs_engine_mpich;

#endif
