/* SPDX-License-Identifier: BSD-3-Clause
 * Point-to-point communication by arguments that were checked.
 * Beneath MPI's sends and receives, and for the collectives of neighbours. */
#ifndef CS_P2P_H
#define CS_P2P_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/messages/request.h"

/* The value of MPI_TAG_UB. */
enum { CS_EMU_TAG_UB = 0x0fffffff };

/* Error class of arguments, or MPI_SUCCESS. */
int cs_emu_check_send(const struct cs_emu_comm *c, const void *buf, int64_t count, MPI_Datatype t, int dest, int tag);
int cs_emu_check_recv(const struct cs_emu_comm *c, const void *buf, int64_t count, MPI_Datatype t, int source, int tag);

/* Packs and sends. A synchronous send completes `r` when it is matched; otherwise r may be NULL. */
void cs_emu_send(const void *buf, int64_t count, MPI_Datatype t, int dest, int tag, struct cs_emu_comm *c,
                 enum cs_emu_send_mode mode, struct cs_emu_req *r);
/* Begins a receive; the request's fields must be set. MPI_PROC_NULL completes at once. */
void cs_emu_recv_begin(struct cs_emu_req *r);

#endif
