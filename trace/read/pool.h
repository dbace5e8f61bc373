/* SPDX-License-Identifier: BSD-3-Clause
 * A pool that stores equal bytes once: thousands of ranks define the same names and communicators.
 * Entries are as long as they like and live as long as the pool. */
#ifndef CS_POOL_H
#define CS_POOL_H

#include <stddef.h>

struct cs_pool_entry;

/* A hash table of byte strings by content. An entry may also have the list of ranks that its bytes encode. */
struct cs_pool {
    struct cs_pool_entry *entries;
    size_t expanded; /* integers in all expanded rank lists */
};

/* The pool's copy of the bytes, followed by a zero byte; NULL if memory is short. */
const char *cs_pool_bytes(struct cs_pool *p, const void *bytes, size_t len);
/* The place for the list of ranks that the bytes (from a communicator's definition) encode. It holds NULL until the
 * caller stores a list from malloc() there, which the pool then owns. NULL if memory is short. */
int **cs_pool_ranks(struct cs_pool *p, const void *bytes, size_t len);
void cs_pool_free(struct cs_pool *p);

#endif
