/* SPDX-License-Identifier: BSD-3-Clause
 * Standard output with the rank in front of each line (--stdout tag), "[3] text". The relay is a process of its own
 * that reads what all ranks write, and writes it line by line. A rank's standard output is then a socket. */
#ifndef CS_RELAY_H
#define CS_RELAY_H

/* Linux has no process id above this (PID_MAX_LIMIT): tables by process id have so many entries. */
enum { CS_EMU_PIDS = 1 << 22 };

/* In the parent, before the forks: starts the relay if COMMSLICE_STDOUT is "tag". 0, or -1 with errno. */
int cs_emu_relay_start(void);
/* In a rank: from now on its standard output is relayed. */
void cs_emu_relay_join(int rank);
/* In the parent, when the ranks have ended: waits until the relay has written all, at most a few seconds. */
void cs_emu_relay_end(void);

#endif
