/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stores and reads of one address in one turn of a loop, or one run of a function: where the same values make the
 * address, a store replaces what others have written there before. For people who ask why something is kept. */
#ifndef CS_SAME_TURN_H
#define CS_SAME_TURN_H

#include <stdbool.h>

#include "slicer/graph/graph.h"
#include "slicer/live/needs.h"

/* What was found of statements; private to same_turn.c. */
struct cs_same_turn;

/* Graph and flow must stay. The caller frees it. */
struct cs_same_turn *cs_same_turn_start(const struct cs_graph *g, const struct cs_need_flow *flow);
void cs_same_turn_free(struct cs_same_turn *t);
/* Is what the statement reads surely stored to the same address before it in the same turn? Then adds those stores
 * that come last to `stores`, which is not older than what is read. */
bool cs_same_turn_stored(struct cs_same_turn *t, int load, struct cs_intlist *stores);
/* Can what the store writes be there at the read? Not if another store always replaces it in the same turn, and the
 * read does not come in between. */
bool cs_same_turn_arrives(struct cs_same_turn *t, int store, int read);

#endif
