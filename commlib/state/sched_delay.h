/* SPDX-License-Identifier: BSD-3-Clause
 * Time between calls that is not the program's: its thread was ready to run and the processor did something else, or
 * the recorder was writing. Taken out of what is replayed as computation, so that a recording on a loaded machine is of
 * use. */
#ifndef CS_SCHED_DELAY_H
#define CS_SCHED_DELAY_H

#include <stdbool.h>
#include <stdint.h>

/* When a call begins, at `enter` on the clock of cs_now: the ns lost since the thread's call before ended. Waiting for
 * a disk or sleeping is not losing. 0 where the system does not say (Linux's schedstat). Costs a system call if the
 * time since then is long, else nothing. */
int64_t cs_sched_delay_enter(int64_t enter);

/* When it has ended, at `exit`, and has been recorded; `wrote`: with a block of the trace. What recording and a look at
 * the system took is lost, too. */
void cs_sched_delay_exit(int64_t exit, bool wrote);

#endif
