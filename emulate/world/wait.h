/* SPDX-License-Identifier: BSD-3-Clause
 * Sleeping and waking. A rank sleeps in one place only, on one word of its own, and gives its place to another rank
 * while it does; whoever changes something that it may wait for wakes it. */
#ifndef CS_WAIT_H
#define CS_WAIT_H

#include <stdbool.h>

/* Makes progress until `ready` says so. The note of cs_emu_me (shared_memory.h) must say what for. */
void cs_emu_wait(bool (*ready)(void *), void *arg);
/* After a poll in vain: lets others run, sleeping a little when that happens often. */
void cs_emu_poll_pause(const char *call);
/* A poll that found something. */
void cs_emu_poll_found(void);
/* To be called after what the rank may wait for has been written. */
void cs_emu_wake(int world_rank);
/* Tells the parent that there is something to look at. */
void cs_emu_wake_parent(void);

#endif
