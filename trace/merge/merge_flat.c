/* SPDX-License-Identifier: BSD-3-Clause
 * Unrolls the loops of a string of items: all of them, or those that are not too long. */
#include "trace/merge/merge_flat.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int cs_items_push(struct cs_items *s, uint32_t item)
{
    if (!CS_MAKE_ROOM_FOR(s->item, s->n + 1, s->cap))
        return -1;
    assert(s->n < s->cap);
    s->item[s->n++] = item;
    return 0;
}

int64_t cs_flat_length(const struct cs_nests *nests, const uint32_t *item, int64_t n, int64_t keep)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t len = cs_nests_length(nests, item[i]);
        sum += len > keep ? 1 : len;
    }
    return sum;
}

int cs_flatten(const struct cs_nests *nests, const uint32_t *item, int64_t n, int64_t keep, struct cs_items *out)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t s = item[i];
        if (!cs_item_is_loop(s) || cs_nests_length(nests, s) > keep) {
            if (cs_items_push(out, s))
                return -1;
            continue;
        }
        const struct cs_nested *l = &nests->loop[cs_item_number(s)];
        size_t first = out->n, body;
        if (cs_flatten(nests, nests->arena + l->first, l->n, keep, out))
            return -1;
        body = out->n - first;
        if (!CS_MAKE_ROOM_FOR(out->item, first + body * l->count, out->cap))
            return -1;
        for (uint64_t k = 1; k < l->count; k++, out->n += body)
            memcpy(out->item + out->n, out->item + first, body * sizeof *out->item);
    }
    return 0;
}

int cs_merge_unroll(const struct cs_nests *nests, struct cs_stream *s)
{
    struct cs_items out = {0};
    if (cs_flatten(nests, s->item, s->n, INT64_MAX, &out)) {
        free(out.item);
        return -1;
    }
    free(s->item);
    s->item = out.item;
    s->n = (int64_t)out.n;
    return 0;
}
