/* SPDX-License-Identifier: BSD-3-Clause
 * The memory that a forked rank writes. A page costs each of thousands of ranks 4 KB as soon as one byte of it is
 * written, so what our libraries allocate in a rank comes from an area right behind their variables (rank_memory.ld),
 * and not from the program's heap. */
#ifndef CS_RANK_MEMORY_H
#define CS_RANK_MEMORY_H

/* GLIBC_TUNABLES of a program that will be forked into ranks. What a rank writes of the C library's memory of its
 * thread, from errno to the thread's id, is less than 1 KB; with this it gets a place of its own, and lies in the
 * middle of a page instead of across the end of one. */
#define CS_RANK_TUNABLES "glibc.rtld.optional_static_tls=4096"

/* From now on in this process malloc() and its family, as called by the library that this is linked into, take from
 * that area. Call it in a rank that has just been forked. What was allocated before can be freed as always. */
void cs_rank_memory_start(void);

#endif
