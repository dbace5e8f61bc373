/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a value of a loop is before the loop, if it is the same in all iterations: bounds that are read, computed or
 * merged in the loop itself. The whole function counts as a loop, too. */
#ifndef CS_COUNT_VALUE_BEFORE_H
#define CS_COUNT_VALUE_BEFORE_H

#include "gcc-plugin/gcc/gcc-common.h"

/* The loop over which is summed up. `runs`: a block of it that is run at least once when the loop is entered; what such
 * a block reads can be read before. */
struct cs_around {
    class loop *l;
    basic_block runs;
};
/* The expression in terms of what is there before the loop, if it is the same in all iterations; else NULL. bb: where
 * it is computed in the loop, NULL: anywhere. */
tree cs_value_before(const cs_around *a, tree t, basic_block bb);
/* What the variable is when the loop is entered. */
tree cs_read_before(const cs_around *a, tree variable);
/* Appends the statements to the block before the loop. */
bool cs_put_before(const cs_around *a, gimple_seq seq);
/* Takes back what was to be put before the loop. */
tree cs_put_nothing(gimple_seq seq);
/* The value that was stored last in the variable up to the end of the block, if that is seen on the one way to it:
 * `i = 1`. The variable may be one that much else of the program stores to. */
tree cs_stored_last(basic_block bb, tree variable);
/* Is it the address that is read where the program does not read? */
bool cs_is_zero_place(tree address);
/* Another function is current. */
void cs_values_forget();

#endif
