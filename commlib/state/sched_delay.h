/* SPDX-License-Identifier: BSD-3-Clause
 * Scheduling delay: time between two MPI calls in which the thread was ready and another process ran, or in which the
 * recorder worked. It does not count as computation, so a recording on a loaded machine is of use. */
#ifndef CS_SCHED_DELAY_H
#define CS_SCHED_DELAY_H

#include <stdbool.h>
#include <stdint.h>

/* To be called when a call begins; `enter` is that time, in ns since cs_run.t0. Returns the ns lost since the thread's
 * previous call ended; 0 if the system does not tell. Time asleep or waiting for a disk is not lost. Makes system calls
 * only if the thread's previous call ended long ago. */
int64_t cs_sched_delay_enter(int64_t enter);

/* To be called when the call has ended, at `exit`, and has been recorded; `wrote`: a block of the trace was written.
 * The time that recording and looking took counts as lost in the next cs_sched_delay_enter. */
void cs_sched_delay_exit(int64_t exit, bool wrote);

#endif
