/* SPDX-License-Identifier: BSD-3-Clause
 * Counts the calls that move data and are no events: one-sided communication, dynamic processes. The trace says
 * so in its run info, so that its figures are not taken for all of the communication. */
#ifndef CS_UNRECORDED_H
#define CS_UNRECORDED_H

#include "commlib/state/call.h"

/* Counts a call of kind UNSUPPORTED if it moves data. To be called before the call is made; takes the lock. */
void cs_unrecorded_count(const struct cs_call *c);

/* In MPI_Finalize, collective over cs_run.control: what all ranks have counted, as text for struct cs_run_info,
 * malloced, at rank 0. NULL on all other ranks, where there is nothing to say, and when memory is out. */
char *cs_unrecorded_sum(void);

#endif
