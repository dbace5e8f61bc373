/* SPDX-License-Identifier: BSD-3-Clause
 * A mark for variables that forked ranks of engine emulate do not write, or hardly ever: commlib/process/rank_memory.ld
 * keeps them away from those that they do write, so that these are on few pages. */
#ifndef CS_COLD_H
#define CS_COLD_H

#define CS_COLD __attribute__((section(".bss.cold")))

#endif
