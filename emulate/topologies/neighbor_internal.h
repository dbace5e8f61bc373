/* SPDX-License-Identifier: BSD-3-Clause
 * Neighbourhood collectives, whose arguments are all brought into one form. neighbor_calls.c has the MPI functions. */
#ifndef CS_NEIGHBOR_INTERNAL_H
#define CS_NEIGHBOR_INTERNAL_H

#include <stdbool.h>

#include "emulate/collectives/coll.h"

/* The arguments of any neighbourhood collective. */
struct cs_emu_neighbor_call {
    const char *name; /* for error messages, "MPI_Neighbor_allgather" */
    struct cs_emu_comm *comm;
    bool same;      /* all destinations get the same block */
    bool backwards; /* receives are posted from the last edge to the first */
    struct cs_emu_blocks send, recv;
};

/* Makes the call. `request` is NULL for a blocking one, else the program's new request. Returns an error class. */
int cs_emu_neighbor_run(const struct cs_emu_neighbor_call *k, MPI_Request *request);

/* Begins the call, whose end completes the persistent request r, which is active. Returns an error class. */
int cs_emu_neighbor_start(const struct cs_emu_neighbor_call *k, struct cs_emu_req *r);
/* Checks the arguments, and tells the numbers of neighbours. Returns an error class. */
int cs_emu_neighbor_check(const struct cs_emu_neighbor_call *k, int *nin, int *nout);
/* Makes a request whose starts make the call (neighbor_persistent.c). Returns an error class. */
int cs_emu_neighbor_prepare(const struct cs_emu_neighbor_call *k, MPI_Request *request);

#endif
