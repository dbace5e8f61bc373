/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sets of small numbers of which many lie close together, 64 to a word; words of zeros are not stored.
 * What one set has and another has not is found by the word: points-to sets differ by little from their neighbours'. */
#ifndef CS_BITS_H
#define CS_BITS_H

#include <stdbool.h>
#include <stdint.h>

struct cs_intlist;

/* w[] has n words and room for cap, sorted by `at`, and is the set's own; all zero is the empty set. w[i] holds the
 * members from 64 * at to 64 * at + 63, one bit each. Members are not negative. */
struct cs_bits {
    int n, cap;
    struct cs_bitword {
        int at;
        uint64_t bits;
    } * w;
};

/* Returns false if x was there. */
bool cs_bits_add(struct cs_bits *b, int x);
bool cs_bits_has(const struct cs_bits *b, int x);
/* The smallest member that is not below x, or -1. */
int cs_bits_next(const struct cs_bits *b, int x);
int cs_bits_count(const struct cs_bits *b);
/* A hint to the processor, that the word of this `at` is asked about soon. */
void cs_bits_fetch(const struct cs_bits *b, int at);
/* `out` becomes what is in a and not in b. It is neither of them. */
void cs_bits_minus(struct cs_bits *out, const struct cs_bits *a, const struct cs_bits *b);
/* `out` becomes what is in both. It is neither of them. */
void cs_bits_and(struct cs_bits *out, const struct cs_bits *a, const struct cs_bits *b);
/* Is anything in both? */
bool cs_bits_meet(const struct cs_bits *a, const struct cs_bits *b);
/* Takes all of `more`, another set, into b. */
void cs_bits_or(struct cs_bits *b, const struct cs_bits *more);
/* Appends a word, which lies behind all others and is not 0. */
void cs_bits_append(struct cs_bits *b, struct cs_bitword w);
/* Appends the members, smallest first. */
void cs_bits_list(const struct cs_bits *b, struct cs_intlist *out);
void cs_bits_free(struct cs_bits *b);

#endif
