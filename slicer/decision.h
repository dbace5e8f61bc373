/* SPDX-License-Identifier: GPL-3.0-or-later
 * A decision in one number, so that whoever decides a stored program again knows that it is the link's. */
#ifndef CS_DECISION_H
#define CS_DECISION_H

#include <stdint.h>

#include "slicer/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The same for two graphs if each statement, by its number, has the same line, is kept in both or in none, and has the
 * same call site and mark; else another one, but for a chance of 1 in 2^64. */
uint64_t cs_decision_hash(const struct cs_graph *g);

#ifdef __cplusplus
}
#endif
#endif
