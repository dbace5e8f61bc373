/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sets of byte offsets in an object: off + k * stride, inside [lo, hi).
 * They name fields: member f of every element of an array of structs is one pattern. Arrays are one cell an element
 * type, not one an index. All tests err on the side of "may overlap". */
#ifndef CS_OFFSETS_H
#define CS_OFFSETS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CS_SIZE_UNKNOWN INT64_C(-1)
/* Offsets are clamped to these, so that a few of them can be added without overflow. */
#define CS_OFF_MIN (INT64_MIN / 8)
#define CS_OFF_MAX (INT64_MAX / 8)

/* Constants of fewer bytes move a pointer in its array, or to another member of an element. */
#define CS_OFF_STEP 4

/* A set of offsets in bytes. Without a stride, off alone, which may be moved within [lo, hi); with one, all offsets of
 * [lo, hi) that leave the residue off, 0 <= off < stride. Bounds that are not known are CS_OFF_MIN and CS_OFF_MAX. */
struct cs_pattern {
    int64_t off;    /* stride 0: the offset; else its residue */
    int64_t stride; /* 0: exactly one offset */
    int64_t lo, hi; /* the subobject that the pointer may move in */
};

/* One offset, free to move in the whole object. */
struct cs_pattern cs_pat_at(int64_t off);
/* Any offset. */
struct cs_pattern cs_pat_any(void);
/* Moves every offset by c bytes; leaving [lo, hi) lifts the bounds (container_of). */
struct cs_pattern cs_pat_shift(struct cs_pattern p, int64_t c);
/* Adds an unknown multiple of stride. */
struct cs_pattern cs_pat_spread(struct cs_pattern p, int64_t stride);
/* Offsets of `inner`, which is relative to a pointer with the offsets of `outer`. */
struct cs_pattern cs_pat_compose(struct cs_pattern outer, struct cs_pattern inner);
/* The same for an access to one of the elements of `inner`, *size bytes each, or, if *size is unknown, to an array that
 * begins there. Where there is such an array in each of an array of structs, one stride cannot say both: the place then
 * is that array, anywhere in it, with its size. */
struct cs_pattern cs_pat_access(struct cs_pattern outer, struct cs_pattern inner, int64_t *size);
/* Clips the bounds to an object of this size (CS_SIZE_UNKNOWN: only below 0) and brings to normal form. */
struct cs_pattern cs_pat_normal(struct cs_pattern p, int64_t objsize);
bool cs_pat_equal(struct cs_pattern a, struct cs_pattern b);
/* Does a contain every offset of b, with bounds at least as wide? */
bool cs_pat_covers(struct cs_pattern a, struct cs_pattern b);
/* Can asize bytes at an offset of a and bsize bytes at one of b share a byte? */
bool cs_pat_overlap(struct cs_pattern a, int64_t asize, struct cs_pattern b, int64_t bsize);

#ifdef __cplusplus
}
#endif
#endif
