/* SPDX-License-Identifier: BSD-3-Clause
 * Standard output with the rank in front of each line: --stdout tag.
 * A process of its own reads what all ranks write; ranks notice nothing but that their standard output is a socket. */
#ifndef CS_RELAY_H
#define CS_RELAY_H

/* In the parent, before the forks: starts the relay if COMMSLICE_STDOUT is "tag". 0, or -1 with errno. */
int cs_emu_relay_start(void);
/* In a rank: from now on its standard output is relayed. */
void cs_emu_relay_join(int rank);
/* In the parent, when the ranks have ended: waits until all is written. */
void cs_emu_relay_end(void);

#endif
