/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls that stand together in the functions of a program, as `fill(true)` and `use()` in one, `fill(false)` and
 * `show()` in another one: what only the first call of `fill` does is hardly for `show`. For people who ask why
 * something is kept: a guess. */
#ifndef CS_PARTNERS_H
#define CS_PARTNERS_H

#include <stdbool.h>

#include "slicer/advise/constant_calls.h"
#include "slicer/graph/graph.h"

/* Is there a function that calls both the reader, a function, and that of the writer, a statement, and does none of
 * those that do call the latter so that the writer runs? callers: of each function the calls of it. */
bool cs_is_elsewhere(const struct cs_graph *g, const struct cs_intlist *callers, struct cs_constant_calls *calls,
                     int reader, int writer);

/* Do the two functions work together: is one the other, or does it call it, or does one function call both? */
bool cs_are_partners(const struct cs_graph *g, const struct cs_intlist *callers, int a, int b);
/* Is one the other, or does the first one call it? */
bool cs_is_helper(const struct cs_graph *g, const struct cs_intlist *callers, int func, int helper);

#endif
