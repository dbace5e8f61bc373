/* SPDX-License-Identifier: BSD-3-Clause
 * Generalized requests: the program's own functions stand behind a handle.
 * The calls that complete requests ask here. */
#ifndef CS_GREQUEST_INTERNAL_H
#define CS_GREQUEST_INTERNAL_H

#include <mpi.h>

struct cs_emu_req;

int cs_emu_grequest_query(struct cs_emu_req *r, MPI_Status *status);
int cs_emu_grequest_cancel(struct cs_emu_req *r);
/* Calls the program's free function. */
int cs_emu_grequest_end(struct cs_emu_req *r);

#endif
