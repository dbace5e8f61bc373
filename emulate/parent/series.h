/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks one after the other in one process, which is put back after each (put_back.h): where no rank waits for another
 * and the program does nothing that cannot be put back, that costs a tenth of a process for each. A rank that ends in
 * any other way than well ends its process, so its end is its own. */
#ifndef CS_SERIES_H
#define CS_SERIES_H

#include <stdbool.h>

/* Before the real __libc_start_main, which registers what runs at the end of a process: ours has to run after that. */
void cs_emu_series_register(void);

/* In the parent: may the process that is forked next run several ranks? */
bool cs_emu_series_wanted(void);

/* In a process that has just become rank `first`: returns in this rank, and again in each other one that the process
 * becomes, with its number. */
int cs_emu_series_begin(int first);

/* A rank that no process is yet, and that the caller's now is; -1: there is none. */
int cs_emu_series_claim(void);

#endif
