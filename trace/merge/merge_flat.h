/* SPDX-License-Identifier: BSD-3-Clause
 * Strings of items, and how loops in them are unrolled. */
#ifndef CS_MERGE_FLAT_H
#define CS_MERGE_FLAT_H

#include "trace/merge/merge_internal.h"

struct cs_items {
    uint32_t *item;
    size_t n, cap;
};

/* All return -1 when memory is out. */
int cs_items_push(struct cs_items *s, uint32_t item);
/* Items of the stretch when loops longer than `keep` events stay. */
int64_t cs_flat_length(const struct cs_nests *nests, const uint32_t *item, int64_t n, int64_t keep);
/* Appends the stretch like that. */
int cs_flatten(const struct cs_nests *nests, const uint32_t *item, int64_t n, int64_t keep, struct cs_items *out);

#endif
