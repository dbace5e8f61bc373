/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops whose turns are alike (slicer/alike/alike.h) in GIMPLE: the recorder is asked at the end of the first turn how
 * many more like it there are, which it writes down, and the loop's counters go on by as many. */
#ifndef CS_REPEAT_TURNS_H
#define CS_REPEAT_TURNS_H

#include "gcc-plugin/lower/lower.h"
#include "slicer/alike/alike.h"

/* The type of the variable that holds the recorder's function (api/repeated_turns.h). */
tree cs_repeat_type();
/* Has the function such loops? */
bool cs_repeats(const struct cs_alike_loops *loops, const cs_lowered *f);
/* In the current function, after its statements were swept and its edges are those of the slice, and no block
 * that cannot be reached is left. A loop that turns out not to be alike gets a reason. */
void cs_repeat_turns(const struct cs_program *p, struct cs_alike_loops *loops, const cs_lowered *f, tree variable);

#endif
