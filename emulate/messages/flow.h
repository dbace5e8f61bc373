/* SPDX-License-Identifier: BSD-3-Clause
 * Flow control: a sender waits while its receiver has a backlog, messages not yet taken, above a limit. So messages
 * under way do not fill the memory. When all ranks wait, the parent raises limits, so this makes no deadlock. */
#ifndef CS_FLOW_H
#define CS_FLOW_H

#include <stdbool.h>
#include <stdint.h>

/* The limit of a backlog, in bytes: COMMSLICE_BACKLOG, or else a value that depends on the number of ranks. */
int64_t cs_emu_flow_limit(int nranks);

/* Adds a message of this length, which is about to be pushed, to the rank's backlog. */
void cs_emu_flow_sent(int world_rank, uint64_t bytes);
/* Takes a message off the own backlog, with some delay. */
void cs_emu_flow_taken(uint64_t bytes);
/* Subtracts now all that the own rank has taken, and wakes senders if there is room. To be called before it sleeps. */
void cs_emu_flow_tell(void);
/* To be called after pushing a message: waits while the rank's backlog is above its limit. */
void cs_emu_flow_wait(int world_rank);
/* Wakes all senders that wait for the own rank, which will take nothing more. */
void cs_emu_flow_end(void);

/* For the parent. cs_emu_flow_release raises the limits of all receivers for which senders wait, and wakes these; false
 * if there are none. cs_emu_flow_stuck: do senders wait for room while all living ranks sleep? */
bool cs_emu_flow_release(void);
bool cs_emu_flow_stuck(void);

#endif
