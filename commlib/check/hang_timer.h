/* SPDX-License-Identifier: BSD-3-Clause
 * A thread that calls cs_hang_detector_second once a second. Only slices in which a call could hang have it. */
#ifndef CS_HANG_TIMER_H
#define CS_HANG_TIMER_H

/* Starts the thread. Returns 0, or an error number of pthread_create; the run goes on without it. */
int cs_hang_timer_start(void);
/* Tells the thread to end, and waits until it has. */
void cs_hang_timer_stop(void);

#endif
