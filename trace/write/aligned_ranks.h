/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks that make the same calls from the same places, but are in several block classes, as each rank's values decide
 * where its stream folds: their streams are written anew, all in the same form. */
#ifndef CS_ALIGNED_RANKS_H
#define CS_ALIGNED_RANKS_H

#include "trace/format/bytes.h"
#include "trace/trace.h"

struct cs_aligned;

/* Beyond these nothing is found. */
struct cs_align_limits {
    uint32_t streams; /* ranks with events */
    size_t memory;    /* bytes of their streams; that of the last one is over it */
    uint64_t steps;   /* symbols of ranks that are alike, all together, that are unrolled */
};
extern const struct cs_align_limits cs_align_limits; /* the usual ones */

/* Finds such ranks in a trace with block classes. 1, and *out; 0: there are none, or their streams have no form in
 * common; -1: no memory. The trace and the limits must stay. */
int cs_align_ranks(const struct cs_trace *t, const struct cs_align_limits *most, struct cs_aligned **out);
void cs_aligned_free(struct cs_aligned *a);

/* The rank gets one block in place of this one, its first one with events, and all behind it; UINT32_MAX: it stays as
 * it is. */
uint32_t cs_aligned_first(const struct cs_aligned *a, int rank);
/* That block: number, flags, events; and a number, from 1, for all ranks that have its form in common. */
struct cs_aligned_block {
    uint32_t seq, flags, group;
    uint64_t nevents;
};
/* Its sections go into *defs and *events. 0, or -1: no memory, or a section cannot be read. */
int cs_aligned_sections(const struct cs_aligned *a, int rank, struct cs_aligned_block *b, struct cs_bytes *defs,
                        struct cs_bytes *events);

/* Do these ranks have the same events in the two traces? False, too, when memory is out. */
bool cs_aligned_are_same(const struct cs_aligned *a, const struct cs_trace *other);

#endif
