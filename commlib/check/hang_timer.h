/* SPDX-License-Identifier: BSD-3-Clause
 * A thread that lets the watch look once a second. Only slices in which something could hang have it. */
#ifndef CS_HANG_TIMER_H
#define CS_HANG_TIMER_H

/* 0, or an errno; without the thread everything else still works. */
int cs_hang_timer_start(void);
/* Ends the thread at once and waits for it. */
void cs_hang_timer_stop(void);

#endif
