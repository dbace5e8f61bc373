/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops whose turns may be alike, in GIMPLE: the recorder is told what each turn begins with, and what it sees of the
 * loop's counters, and says how many further turns it has recorded (api/repeated_turns.h). */
#ifndef CS_COMPARE_TURNS_H
#define CS_COMPARE_TURNS_H

#include "gcc-plugin/apply/turn_calls.h"
#include "gcc-plugin/lower/lower.h"

/* Inserts the calls into the loop, whose blocks and edges are known. NULL, or why that cannot be. */
const char *cs_compare_turns(const struct cs_program *p, cs_turns::Loop *l, tree variable);
/* Test only: the recorder is to be told nothing of kind number n, from 1, of all loops' kinds of what it is told:
 * comparisons of counters, their rests, values, memory. With `list`, each kind is printed, with its loop. */
void cs_compare_overlook(int n, bool list);
/* How many kinds there were. */
int cs_compare_told();

#endif
