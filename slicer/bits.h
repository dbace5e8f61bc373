/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sets of small numbers of which many lie close together, 64 to a word; words of zeros are not stored.
 * What one set has and another has not is found by the word: points-to sets differ by little from their neighbours'. */
#ifndef CS_SLICER_BITS_H
#define CS_SLICER_BITS_H

#include <stdbool.h>
#include <stdint.h>

struct cs_intlist;

struct cs_bits { int n, cap; struct cs_bitword { int at; uint64_t bits; } *w; };

/* Returns false if x was there. */
bool cs_bits_add(struct cs_bits *b, int x);
bool cs_bits_has(const struct cs_bits *b, int x);
/* Appends to `out` what is in a and not in b, smallest first. */
void cs_bits_without(const struct cs_bits *a, const struct cs_bits *b, struct cs_intlist *out);
void cs_bits_free(struct cs_bits *b);

#endif
