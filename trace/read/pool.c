/* SPDX-License-Identifier: BSD-3-Clause
 * The pool of pool.h: a hash table keyed by content.
 * Time goes to hashing; entries are never removed one by one. */
#include "trace/read/pool.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A string of bytes, which is its own key, and the list of ranks that it encodes, if it does (owned). */
struct cs_pool_entry {
    UT_hash_handle hh;
    int *ranks;
    char bytes[];
};

static struct cs_pool_entry *entry(struct cs_pool *p, const void *bytes, size_t len)
{
    struct cs_pool_entry *e = NULL;
    HASH_FIND(hh, p->entries, bytes, len, e);
    if (e)
        return e;
    e = calloc(1, sizeof *e + len + 1);
    if (!e)
        return NULL;
    if (len)
        memcpy(e->bytes, bytes, len);
    HASH_ADD_KEYPTR(hh, p->entries, e->bytes, len, e);
    return e;
}

const char *cs_pool_bytes(struct cs_pool *p, const void *bytes, size_t len)
{
    struct cs_pool_entry *e = entry(p, bytes, len);
    return e ? e->bytes : NULL;
}

int **cs_pool_ranks(struct cs_pool *p, const void *bytes, size_t len)
{
    struct cs_pool_entry *e = entry(p, bytes, len);
    return e ? &e->ranks : NULL;
}

void cs_pool_free(struct cs_pool *p)
{
    struct cs_pool_entry *e, *next;
    HASH_ITER (hh, p->entries, e, next) {
        HASH_DEL(p->entries, e);
        free(e->ranks);
        free(e);
    }
}
