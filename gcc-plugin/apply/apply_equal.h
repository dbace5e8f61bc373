/* SPDX-License-Identifier: GPL-3.0-or-later
 * Values that stand for others in the slice, and statements that run earlier (slicer/live/live_equal.c), in GIMPLE.
 * Before anything is removed the stand-ins are noted; after it the statements move. */
#ifndef CS_APPLY_EQUAL_H
#define CS_APPLY_EQUAL_H

#include "gcc-plugin/lower/lower.h"

/* Notes the names of the function's values: nothing must have been released. */
void cs_equal_begin(cs_graph *g, const cs_lowered *f);
/* What stands for the name, or null if it stands for itself. */
tree cs_equal_of(tree name);
/* Moves the statements that run earlier to the ends of their blocks; branches must still be there. */
void cs_equal_move();

#endif
