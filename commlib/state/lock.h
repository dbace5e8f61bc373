/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder's lock: around the tables of requests, communicators, datatypes and the trace writer, never around MPI.
 * It is held for nanoseconds, but for the moment when a block is written. */
#ifndef CS_LOCK_H
#define CS_LOCK_H

void cs_lock(void);
void cs_unlock(void);

/* For signal handlers: a signal wants to end the run. `on_cut` is called with the number of the signal and with the
 * lock held: at once, or, if the lock is held already, by whoever releases it. */
void cs_lock_signal(int sig);
extern void (*cs_lock_on_cut)(int sig);

#endif
