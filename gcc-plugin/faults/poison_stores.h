/* SPDX-License-Identifier: GPL-3.0-or-later
 * Test only: what a fault leaves behind is a fixed odd value, not what luck left there.
 * docs/developers/checker.md says what the test that breaks slices on purpose does with it. */
#ifndef CS_POISON_STORES_H
#define CS_POISON_STORES_H

#include "gcc-plugin/gcc/gcc-common.h"

/* What a test wants to be wrong with the slice. */
struct cs_faults {
    int gone_values; /* what stands where a value is not computed any more; 0 but for tests */
    int dropped;     /* graph number of a statement that is left out on purpose, -1 */
    bool poison;     /* the left out statement's store writes gone_values, and so do frames when they are made */
    bool trap;       /* the program ends where the left out statement was: a test asks whether it is ever run */
};

/* `value` as a constant of a type that fits a register; zero where numbers mean nothing. */
tree cs_poison_value(tree type, int value);

/* Puts a store of `value`, or of bytes of that value, in front of a statement that stores; the statement itself stays.
 * Nothing if it does not store, or if nobody can say how much. */
void cs_poison_store(gimple_stmt_iterator *i, int value);

/* At the entry of the current function, fills its variables that live in memory with bytes of this value. */
void cs_poison_frame(int value);

#endif
