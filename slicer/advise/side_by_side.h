/* SPDX-License-Identifier: GPL-3.0-or-later
 * Variables that are set side by side, as the flags of solvers of which one is chosen: which of their values go
 * together. For people who ask why something is kept: that nobody writes them through a pointer is taken for granted.
 */
#ifndef CS_SIDE_BY_SIDE_H
#define CS_SIDE_BY_SIDE_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* Bytes off.. of an object, or (obj -1) the parameter that is the value. */
struct cs_variable {
    int obj, value;
    int64_t off, size;
};
/* Is the variable this number? */
struct cs_is_number {
    const struct cs_variable *var;
    int64_t number;
};

/* May the statement write the variable, so far as it names it? */
bool cs_names_and_writes(const struct cs_stmt *st, const struct cs_variable *var);
/* Which answers to two questions about variables of the program, as everything writes them, may be had at one time:
 * bit 2 * a + b, of answers 0 and 1. All, for other variables. */
unsigned cs_answers_together(const struct cs_graph *g, struct cs_is_number a, struct cs_is_number b);

#endif
