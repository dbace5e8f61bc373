/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of variables and numbers, and ranges between two of them: what an index is made of (index_ranges.h). A variable
 * is a number of the caller's. */
#ifndef CS_INDEX_SUMS_H
#define CS_INDEX_SUMS_H

#include <stdbool.h>
#include <stdint.h>

/* Variables in a sum, at most. */
enum { CS_SUM_TERMS = 4 };

/* `number` and so many times each of the symbols sym[n]; lost: nothing is known. */
struct cs_sum {
    bool lost;
    int n, sym[CS_SUM_TERMS];
    int64_t times[CS_SUM_TERMS], number;
};
/* From one sum to another one, both included. */
struct cs_sum_range {
    struct cs_sum lo, hi;
};

struct cs_sum cs_sum_lost(void);
struct cs_sum cs_sum_number(int64_t x);
/* Adds so many times the variable. */
void cs_sum_add_term(struct cs_sum *s, int sym, int64_t times);
/* a + times * b, and the same of ranges. */
struct cs_sum cs_sum_plus(struct cs_sum a, struct cs_sum b, int64_t times);
struct cs_sum_range cs_sum_plus_range(struct cs_sum_range a, struct cs_sum_range b, int64_t times);
bool cs_sum_same(struct cs_sum a, struct cs_sum b);
/* Is a more than b, if variables are not negative? */
bool cs_sum_is_more(const struct cs_sum *a, const struct cs_sum *b);

#endif
