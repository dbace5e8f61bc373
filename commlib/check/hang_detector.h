/* SPDX-License-Identifier: BSD-3-Clause
 * The watch: turns a slice that hangs, because a marked call waits for an unmarked one, into an error that names both.
 * Needs all ranks on one machine to be sure; elsewhere it only says who waits for long. */
#ifndef CS_HANG_DETECTOR_H
#define CS_HANG_DETECTOR_H

#include "commlib/state/call.h"

/* In MPI_Init, collective: begins to watch if there is anything to watch. */
void cs_hang_detector_start(void);
/* In MPI_Finalize, collective, before the library's own; after cs_hang_timer_stop. */
void cs_hang_detector_stop(void);
/* Once a second, from another thread. */
void cs_hang_detector_second(void);

/* Around every call that may wait; cheap. */
void cs_hang_detector_enter(const struct cs_call *c);
void cs_hang_detector_leave(const struct cs_call *c);

#endif
