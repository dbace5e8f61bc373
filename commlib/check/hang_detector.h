/* SPDX-License-Identifier: BSD-3-Clause
 * The hang detector: ends a slice that hangs because a marked call waits for an unmarked one, with an error that names
 * both. With ranks on several machines it cannot be sure, and only reports which ranks wait for long. */
#ifndef CS_HANG_DETECTOR_H
#define CS_HANG_DETECTOR_H

#include "commlib/state/call.h"

/* In MPI_Init, collective over cs_run.control: begins to watch if the channel check is on (cs_channels_on). */
void cs_hang_detector_start(void);
/* In MPI_Finalize, collective, before the library's own; after cs_hang_timer_stop. */
void cs_hang_detector_stop(void);
/* Once a second, from another thread. */
void cs_hang_detector_second(void);

/* Before and after every call that may wait. Cheap: they write what this rank does to shared memory. */
void cs_hang_detector_enter(const struct cs_call *c);
void cs_hang_detector_leave(const struct cs_call *c);

#endif
