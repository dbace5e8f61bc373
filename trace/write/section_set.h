/* SPDX-License-Identifier: BSD-3-Clause
 * The set of sections that the file already has. The ranks of a machine share it: a rank whose section is in the set
 * writes only the section's key. The set has no locks, so a rank that dies while it adds a key blocks no other rank. */
#ifndef CS_SECTION_SET_H
#define CS_SECTION_SET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/format/format.h"

/* How many keys the set has room for. */
#define CS_SHARED_KEYS 4096u

/* A set of the keys of sections: a hash table with open addressing, in memory that all ranks share. Whoever maps that
 * memory owns it. Memory full of zeros is the empty set. An entry with lo 0 is free. An entry of which only hi is 0 is
 * being written, or its rank died while it wrote it; such an entry stands for no key. Keys are never taken out, and the
 * set never grows. It may leave keys out: then a section is written more than once. */
struct cs_shared {
    struct {
        _Atomic uint64_t lo, hi;
    } key[CS_SHARED_KEYS];
};

/* Is the key in the set? A false "no" is possible, as the set may leave keys out. */
bool cs_shared_has(struct cs_shared *s, struct cs_key k);
/* Adds the key. Call it only when the section is in the file: other ranks rely on that at once. The key is left out if
 * there is no free entry near its place, or if its hi is 0. */
void cs_shared_add(struct cs_shared *s, struct cs_key k);

#endif
