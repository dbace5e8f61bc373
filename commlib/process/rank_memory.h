/* SPDX-License-Identifier: BSD-3-Clause
 * Keeps the memory that a forked rank writes on few pages: each page that it writes, be it one byte, costs 4 KB for
 * each of thousands of ranks. What our libraries allocate in a rank therefore comes from an area next to their
 * variables (rank_memory.ld) and not from the program's heap. */
#ifndef CS_RANK_MEMORY_H
#define CS_RANK_MEMORY_H

/* GLIBC_TUNABLES of a program that will be forked into ranks. A rank writes less than 1 KB of the C library's memory of
 * its thread (errno, the thread's id ...). With this setting these bytes are in the middle of one page; without it they
 * lie across the end of a page, so two pages are written. */
#define CS_RANK_TUNABLES "glibc.rtld.optional_static_tls=4096"

/* Makes malloc() and its family, as called by the library that this is linked into, use the area from now on. To be
 * called in a rank that has just been forked. Blocks of an earlier malloc() can still be freed or resized. */
void cs_rank_memory_start(void);

#endif
