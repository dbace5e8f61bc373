/* SPDX-License-Identifier: BSD-3-Clause
 * Sleeping and waking. A rank sleeps in one function only, on one word of its own, and lets another rank run while it
 * does; whoever changes something that it may wait for wakes it. */
#ifndef CS_WAIT_H
#define CS_WAIT_H

#include <stdbool.h>

/* What a waiting rank does for its messages. messages/ sets both before the ranks are forked. */
struct cs_emu_wait_hooks {
    bool (*progress)(void);    /* takes in what has arrived; true if there was anything */
    void (*before_idle)(void); /* tells senders what the rank has taken, as it may be idle for long */
};
extern struct cs_emu_wait_hooks cs_emu_wait_hooks;

/* Makes progress until `ready(arg)`. The note of cs_emu_me (shared_memory.h) must say what the rank waits for. */
void cs_emu_wait(bool (*ready)(void *), void *arg);
/* After a poll in vain by this MPI call: lets others run, sleeping a little when that happens often. */
void cs_emu_poll_pause(const char *call);
/* After a poll that found something. */
void cs_emu_poll_found(void);
/* Wakes a rank of MPI_COMM_WORLD if it sleeps. Call it after writing what that rank may wait for. */
void cs_emu_wake(int world_rank);
/* Tells the parent that there is something to look at. */
void cs_emu_wake_parent(void);

#endif
