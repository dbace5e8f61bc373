/* SPDX-License-Identifier: GPL-3.0-or-later
 * Test only: puts a fixed unusual value where a fault leaves memory unset; otherwise a value that is right by chance
 * could hide the fault. docs/developers/checker.md describes the test that breaks slices on purpose. */
#ifndef CS_POISON_STORES_H
#define CS_POISON_STORES_H

#include "gcc-plugin/gcc/gcc-common.h"

/* What a test wants to be wrong with the slice. */
struct cs_faults {
    int gone_values; /* replaces each value that is not computed any more; 0 outside of tests */
    int dropped;     /* graph number of the statement that is left out on purpose; -1: none */
    bool poison;     /* gone_values is stored where that statement stored, and in the variables of a new frame */
    bool trap;       /* the program ends where that statement was, which shows whether it is ever run */
};

/* `value` as a constant of this type, which fits a register; 0 if the type is neither a number nor a pointer. */
tree cs_poison_value(tree type, int value);

/* Puts a store of `value`, or of bytes of that value, in front of a statement that stores; the statement itself stays.
 * Does nothing if the statement stores nothing, or an unknown number of bytes. */
void cs_poison_store(gimple_stmt_iterator *i, int value);

/* At the entry of the current function, fills its variables that live in memory with bytes of this value. */
void cs_poison_frame(int value);

#endif
