/* SPDX-License-Identifier: BSD-3-Clause
 * A table of lists of integers that stores equal lists once and numbers them: merged symbols and loops. */
#ifndef CS_INTERNED_H
#define CS_INTERNED_H

#include <stddef.h>
#include <stdint.h>

/*  slot: | number + 1 | 0 | ...   at most half used; entry[number]: a stretch of arena  */
struct cs_interned {
    uint32_t *slot, nslots, n; /* n lists */
    size_t cap;
    struct {
        size_t first;
        uint32_t n;
    } * entry; /* list i: arena[entry[i].first], entry[i].n integers */
    uint32_t *arena;
    size_t arena_n, arena_cap;
};

/* The number of the list v[0..n), which is added if the table does not have it; -1 when memory is out. */
int64_t cs_intern(struct cs_interned *t, const uint32_t *v, uint32_t n);
void cs_interned_free(struct cs_interned *t);

#endif
