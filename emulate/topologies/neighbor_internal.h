/* SPDX-License-Identifier: BSD-3-Clause
 * Collectives of neighbours, by arguments of one form.
 * neighbor_calls.c has the MPI calls. */
#ifndef CS_NEIGHBOR_INTERNAL_H
#define CS_NEIGHBOR_INTERNAL_H

#include <stdbool.h>

#include "emulate/collectives/coll.h"

/* The arguments of any of them. */
struct cs_emu_neighbor_call {
    const char *name;
    struct cs_emu_comm *comm;
    bool same;      /* all destinations get the same */
    bool backwards; /* what comes from one neighbour is taken from the last edge to the first */
    struct cs_emu_blocks send, recv;
    const MPI_Aint *sdispls, *rdispls; /* of w-calls: bytes */
};

/* Sends, and receives or begins to. Returns an error class. */
int cs_emu_neighbor_run(const struct cs_emu_neighbor_call *k, MPI_Request *request);

#endif
