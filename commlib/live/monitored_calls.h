/* SPDX-License-Identifier: BSD-3-Clause
 * What a rank's calls say to the monitor: live/live_state.h. Where COMMSLICE_MONITOR does not ask for it, nothing is
 * done. */
#ifndef CS_MONITORED_CALLS_H
#define CS_MONITORED_CALLS_H

#include "commlib/state/call.h"

/* Is the run watched? */
extern bool cs_live_on;

/* In the process that will fork the ranks. */
void cs_live_calls_share(int nranks);
/* There, when they have ended. */
void cs_live_calls_over(void);

/* In MPI_Init, after cs_run is filled in; and when the rank has left MPI_Finalize, or exits without. */
void cs_live_calls_start(void);
void cs_live_calls_stop(void);

/* Around a call, with the lock held and only if cs_live_on. time: ns on the clock of cs_now, 0 if the run has no times;
 * event: the call is recorded. */
void cs_live_calls_enter(const struct cs_call *c, int64_t time);
void cs_live_calls_leave(int64_t time, bool event);

#endif
