/* SPDX-License-Identifier: BSD-3-Clause
 * The space that buffered sends take of the buffer that the program has attached. */
#ifndef CS_BSEND_INTERNAL_H
#define CS_BSEND_INTERNAL_H

#include <stdint.h>

#include <mpi.h>

struct cs_emu_comm;
struct cs_emu_req;

/* MPI_ERR_BUFFER if the attached buffer has no room for this message of a buffered send. */
int cs_emu_bsend_check(int64_t count, MPI_Datatype t, int dest);
/* Takes that room until the returned request is complete; NULL if such a message does not stay in the buffer. */
struct cs_emu_req *cs_emu_bsend_keep(int64_t bytes, int dest, int tag, struct cs_emu_comm *c);

#endif
