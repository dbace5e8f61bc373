/* SPDX-License-Identifier: BSD-3-Clause
 * Memory in the shared mapping that one rank allocates and any other may free: messages, parts of collective calls. */
#ifndef CS_SHARED_HEAP_H
#define CS_SHARED_HEAP_H

#include <stddef.h>

/* A block of this size, aligned to 16, with undefined contents. Ends the run when there is no memory left. */
void *cs_emu_alloc(size_t bytes);
/* The same, with all bytes 0; a large one takes memory only as it is written. */
void *cs_emu_alloc_clear(size_t bytes);
/* Gives back what cs_emu_alloc returned to any rank. */
void cs_emu_free(void *p);

#endif
