/* SPDX-License-Identifier: BSD-3-Clause
 * The set of sections that are in the file already, in memory that the ranks of a machine share: a rank whose section
 * is there writes only its key. All zero is the empty set. No locks; a rank that dies in the middle harms nobody. */
#ifndef CS_SECTION_SET_H
#define CS_SECTION_SET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/format/format.h"

#define CS_SHARED_KEYS 4096u

/* A set of sections' keys, in memory that all ranks share; all zero is empty. It never grows, and may leave keys out.
 */
struct cs_shared {
    struct {
        _Atomic uint64_t lo, hi;
    } key[CS_SHARED_KEYS];
};

bool cs_shared_has(struct cs_shared *s, struct cs_key k);
/* To be called when the section is in the file. A set that is full stays as it is. */
void cs_shared_add(struct cs_shared *s, struct cs_key k);

#endif
