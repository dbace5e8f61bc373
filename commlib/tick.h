/* SPDX-License-Identifier: BSD-3-Clause
 * A thread that wakes up once a second: writes what was recorded since, and lets the watch look.
 * So a rank that is killed loses at most its last second. */
#ifndef CS_COMMLIB_TICK_H
#define CS_COMMLIB_TICK_H

/* 0, or an errno; without the thread everything else still works. */
int cs_tick_start(void);
/* Ends the thread at once and waits for it. */
void cs_tick_stop(void);

#endif
