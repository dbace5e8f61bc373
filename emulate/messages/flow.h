/* SPDX-License-Identifier: BSD-3-Clause
 * Flow control: a sender that is far ahead of its receiver waits, so that messages under way do not fill the memory.
 * It never makes a deadlock: when nobody can go on otherwise, receivers get more room, as MPICH would give them. */
#ifndef CS_FLOW_H
#define CS_FLOW_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes of messages that a receiver may have before it without making its senders wait, from the number of ranks and
 * from COMMSLICE_BACKLOG. */
int64_t cs_emu_flow_limit(int nranks);

/* A message of this size is about to be pushed to the rank; the own rank has taken one out. */
void cs_emu_flow_sent(int world_rank, uint64_t bytes);
void cs_emu_flow_taken(uint64_t bytes);
/* To be called before the own rank sleeps: senders get to know all that it has taken. */
void cs_emu_flow_tell(void);
/* After pushing: waits while the receiver has too much before it. */
void cs_emu_flow_wait(int world_rank);
/* The own rank will take nothing more: nobody shall wait for it. */
void cs_emu_flow_end(void);

/* For the parent. Gives room to all who wait for some, if nobody does anything else (but poll). False if nobody waits
 * for room. */
bool cs_emu_flow_release(void);
bool cs_emu_flow_stuck(void);

#endif
