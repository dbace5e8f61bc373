/* SPDX-License-Identifier: BSD-3-Clause
 * What the calls that complete one request and those that complete several have in common. */
#ifndef CS_COMPLETE_INTERNAL_H
#define CS_COMPLETE_INTERNAL_H

#include <stdbool.h>

#include <mpi.h>

#include "emulate/messages/request.h"

/* Is there anything to complete? Inactive persistent requests count as complete for Wait and Test, and as absent for
 * the choosing calls. */
static inline bool cs_emu_req_is_open(const struct cs_emu_req *r)
{
    return r && (!r->persistent || r->active);
}

/* Takes a complete request from the program: gives out its status (not MPI_ERROR) and frees it, unless it is
 * persistent. Returns its error class, or what a callback returned. */
int cs_emu_req_take(struct cs_emu_req *r, MPI_Request *handle, MPI_Status *status);
/* The same, with an error handed to the communicator of the request. Returns what the MPI call returns. */
int cs_emu_req_finish(struct cs_emu_req *r, MPI_Request *handle, MPI_Status *status, const char *call);

#endif
