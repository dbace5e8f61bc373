/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the functions of the program may change in memory, so that a call in a loop does not hide what decides how often
 * the loop goes round. */
#ifndef CS_CHANGES_H
#define CS_CHANGES_H

#include "gcc-plugin/gcc/gcc-common.h"

struct cs_effects;

/* Finds what each function of the program may change. `fx` says what those without a body do. */
void cs_changes_find(const struct cs_effects *fx);
/* May the statement of the current function change the place? */
bool cs_may_change(gimple *g, tree place);

#endif
