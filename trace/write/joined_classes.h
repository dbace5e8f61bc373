/* SPDX-License-Identifier: BSD-3-Clause
 * Finds which blocks of one sequence number are alike, while they come rank by rank, and writes them as block classes.
 * A block joins a class if its sections have as many numbers as the class's first one, and most of them are the same.
 */
#ifndef CS_JOINED_CLASSES_H
#define CS_JOINED_CLASSES_H

#include "trace/format/block_classes.h"

struct cs_joining;

/* What is joined: a block of one rank. Ranks come in ascending order. */
struct cs_joining_block {
    uint32_t rank, seq, flags; /* flags: 0 or CS_BLOCK_LAST */
    uint32_t group;            /* blocks of the same group, but group 0, are alike, however many numbers differ */
    uint64_t nevents;
    struct cs_key defs_key, events_key; /* of its sections; equal keys are equal bytes */
};

/* NULL: no memory. */
struct cs_joining *cs_joining_new(void);
void cs_joining_free(struct cs_joining *j);
/* Takes the block if one of the same content was there before. 1: it did; 0: its sections are needed; -1: no memory. */
int cs_joining_same(struct cs_joining *j, const struct cs_joining_block *b);
/* Takes a block with its sections. 0, or -1: no memory. */
int cs_joining_add(struct cs_joining *j, const struct cs_joining_block *b, const struct cs_bytes *defs,
                   const struct cs_bytes *events);
int cs_joining_classes(const struct cs_joining *j);
/* Bytes of memory that the classes and what differs from them take. */
size_t cs_joining_memory(const struct cs_joining *j);
/* Appends a class in the form that cs_block_class_decode() reads. 0, or -1: no memory. */
int cs_joining_encode(const struct cs_joining *j, int cls, struct cs_bytes *out);

#endif
