/* SPDX-License-Identifier: BSD-3-Clause
 * A value that may depend on the rank: one rule for all ranks of a class where there is one, else a table. */
#ifndef CS_MERGED_VALUE_H
#define CS_MERGED_VALUE_H

#include <stdint.h>

/* How a value depends on the rank. */
enum cs_rule {
    CS_RULE_SAME,     /* a, on every rank */
    CS_RULE_RELATIVE, /* a peer: (me + a) mod size */
    CS_RULE_XOR,      /* a peer: me ^ a */
    CS_RULE_TORUS,    /* a peer on a grid: c being the coordinates of me (row-major), (c[i] + shift[i]) mod dims[i] */
    CS_RULE_DIGITS,   /* a peer: a * (me / div) + b * (me % div) + c; transposition is one */
    CS_RULE_TABLE     /* table[index of the rank in its class] */
};

#define CS_TORUS_DIMS 3

/* One value for all ranks of a class: the right neighbour in a ring is {RELATIVE, a = 1}, the count 100 {SAME, a =
 * 100}. In the rules, `me` is the rank's number in the record's communicator (the first COMM field) and `size` the
 * number of its ranks. Null peers and wildcards are values like any other, so they are SAME or in a TABLE. */
struct cs_merged_value {
    uint8_t rule; /* enum cs_rule, which says what members the rule uses */
    int64_t a, b, c;
    int32_t div;                                       /* DIGITS; at least 1 */
    int32_t dims[CS_TORUS_DIMS], shift[CS_TORUS_DIMS]; /* unused dimensions: 1 and 0 */
    int64_t *table;                                    /* owned; NULL unless TABLE */
};

/* The value on rank number at_in_class of the record's class. Only the rules of peers use me and size. */
int64_t cs_merged_value_at(const struct cs_merged_value *v, int at_in_class, int me, int size);
/* Frees what the value owns. */
void cs_merged_value_free(struct cs_merged_value *v);

#endif
