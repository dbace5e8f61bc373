/* SPDX-License-Identifier: BSD-3-Clause
 * Rank 0 as the guest of a share of the run that does not have it: it gives the ranks there what it gives all, such as
 * input that it has read. It is not recorded, what it prints is dropped, and nobody waits for its end. */
#ifndef CS_GUEST_H
#define CS_GUEST_H

#include <stdbool.h>

/* In the parent, before the guest is forked. 0, or -1 with errno. */
int cs_emu_guest_prepare(void);
/* In the guest, when its standard input and output are set up as those of rank 0. */
void cs_emu_guest_begin(void);
/* In the parent, when it has ended: has it read standard input that need not be that of rank 0 in other shares? */
bool cs_emu_guest_read_input(void);

#endif
