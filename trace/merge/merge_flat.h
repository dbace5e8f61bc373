/* SPDX-License-Identifier: BSD-3-Clause
 * Strings of items (symbols and loops), and the unrolling of their loops. */
#ifndef CS_MERGE_FLAT_H
#define CS_MERGE_FLAT_H

#include "trace/merge/merge_internal.h"

/* A growing string of items. */
struct cs_items {
    uint32_t *item;
    size_t n, cap;
};

/* Appends an item. 0, or -1: no memory. */
int cs_items_push(struct cs_items *s, uint32_t item);
/* How many items item[0..n) has when loops of up to `keep` events are unrolled and longer ones stay as they are. */
int64_t cs_flat_length(const struct cs_nests *nests, const uint32_t *item, int64_t n, int64_t keep);
/* Appends item[0..n) to *out, unrolled like that. 0, or -1: no memory. */
int cs_flatten(const struct cs_nests *nests, const uint32_t *item, int64_t n, int64_t keep, struct cs_items *out);

#endif
