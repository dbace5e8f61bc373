/* SPDX-License-Identifier: BSD-3-Clause
 * A pool that stores equal bytes once: thousands of ranks define the same names and communicators.
 * Entries are as long as they like and live as long as the pool. */
#ifndef CS_POOL_H
#define CS_POOL_H

#include <stddef.h>

struct cs_pool_entry;

/* A hash table of byte strings by content. */
struct cs_pool {
    struct cs_pool_entry *entries;
    size_t expanded; /* integers in all expanded rank lists */
};

/* The pool's copy of the bytes, followed by a zero byte; NULL if memory is short. */
const char *cs_pool_bytes(struct cs_pool *p, const void *bytes, size_t len);
/* The list of ranks that the bytes of a communicator's definition stand for: *ranks is its slot, NULL before
 * it has been filled in; the pool frees it. */
int **cs_pool_ranks(struct cs_pool *p, const void *bytes, size_t len);
void cs_pool_free(struct cs_pool *p);

#endif
