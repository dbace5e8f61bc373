/* SPDX-License-Identifier: BSD-3-Clause
 * Tells assumptions about values, which make a slice an approximation, from those about branches; the slicer reads
 * both (docs/reference/assumptions.md). */
#ifndef CS_ASSUMED_VALUE_H
#define CS_ASSUMED_VALUE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counters of a value that an instrumented original notes: sums (struct cs_value_seen), and what it was the first times
 * that the rank came there. */
enum { CS_SEEN_SUMS = 4, CS_SEEN_FIRST = 128, CS_SEEN_COUNTERS = CS_SEEN_SUMS + CS_SEEN_FIRST };

/* What a value that is noted says of another run: the same each time, in that order; the same, as often as messages
 * permit; nothing, as messages decide it. */
enum cs_seen_order { CS_SEEN_IN_ORDER, CS_SEEN_POLLED, CS_SEEN_DECIDED };

/* Is an assumption one about a value, FILE:LINE:NAME=EXPRESSION? Then *name is where NAME begins and *is the `=` behind
 * it; NULL: not asked for. */
bool cs_assumes_value(const char *text, const char **name, const char **is);
/* Is any of these lines an assumption about a value, or one that gives a loop an expression? They make approximations.
 */
bool cs_assumes_expression(const char *lines);
/* Is it FILE:LINE:NAME, and not FILE:LINE? */
bool cs_is_value_place(const char *text);

#ifdef __cplusplus
}
#endif
#endif
