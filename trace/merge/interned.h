/* SPDX-License-Identifier: BSD-3-Clause
 * A table of lists of integers that stores equal lists once and numbers them: merged symbols and loops. */
#ifndef CS_INTERNED_H
#define CS_INTERNED_H

#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

/*  entry:  | 0 | 1 | 2 | ... n lists      list i is the stretch of arena at entry[i].first of entry[i].n integers
 *  arena:  | list 0 | list 1 | ...        by_content finds i by what is in the list  */
struct cs_interned {
    struct cs_table by_content;
    uint32_t n;
    size_t cap;
    struct {
        size_t first;
        uint32_t n;
    } * entry;
    uint32_t *arena;
    size_t arena_n, arena_cap;
};

/* The number of the list v[0..n), which is added if the table does not have it; -1 when memory is out. */
int64_t cs_intern(struct cs_interned *t, const uint32_t *v, uint32_t n);
void cs_interned_free(struct cs_interned *t);

#endif
