/* SPDX-License-Identifier: GPL-3.0-or-later
 * Comparisons that GCC's front ends have joined to one condition: from -O1 on, `a > 0 && h > 5` of plain variables is
 * computed without a branch, and `c >= 'a' && c <= 'z'` by one comparison. Assumptions know the comparisons of the
 * source. */
#ifndef CS_COMPARISONS_H
#define CS_COMPARISONS_H

#include "gcc-plugin/gcc/gcc-common.h"

#include "slicer/control/condition_text.h"

/* In the compilers, before any optimisation: gives each comparison of a condition that is joined by & or | a branch of
 * its own, in the order of the source, as at -O0. */
void cs_split_comparisons(function *fn);

/* Then: notes of each comparison its number on its line, and whether the compiler asks its opposite, for cs_turn_of(),
 * and exchanges the senses of a DO WHILE, of which Fortran asks whether it is left. */
void cs_note_turns(function *fn);
/* In the link: what was noted. *number: 0, nothing. */
cs_turn cs_turn_of(gcond *c, int *number);

/* May the branch stand for several comparisons of the source, or for one whose place among them is not known? */
bool cs_comparisons_joined(gcond *c);

#endif
