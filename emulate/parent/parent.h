/* SPDX-License-Identifier: BSD-3-Clause
 * The parent of the ranks: forks them, waits for them, and ends a run that cannot go on.
 * launch_ranks.c calls it in front of main(). */
#ifndef CS_PARENT_H
#define CS_PARENT_H

/* Forks the ranks of cs_emu_world and returns in each of them. In the calling process it does not return: it waits for
 * all ranks and exits with the exit code of the run. */
void cs_emu_parent(void);

#endif
