/* SPDX-License-Identifier: BSD-3-Clause
 * The assumption no-mpi-errors: which MPI calls have returned an error code? */
#ifndef CS_FAILED_CALLS_H
#define CS_FAILED_CALLS_H

#include <stdint.h>

#include "commlib/state/call.h"

/* A call has returned another code than MPI_SUCCESS. */
void cs_failed_call(const struct cs_call *c);
/* How many have on all ranks, at rank 0. Collective. */
int64_t cs_failed_calls_count(void);

#endif
