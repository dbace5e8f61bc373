/* SPDX-License-Identifier: GPL-3.0-or-later
 * Real numbers that decide communication and that GCC may round otherwise in the slice than in the original, as it
 * looks at what is around them: fused products and sums, -ffast-math, sums in parts, a rounding mode that the program
 * sets. */
#ifndef CS_ROUNDING_H
#define CS_ROUNDING_H

#include "slicer/model/model.h"

/* Once LIVE is known: calls say() for the first such statement of each kind that is kept, and says which kind: also
 * CS_ROUNDING_MODE where the program sets the mode, or the link gave it one. */
void cs_rounding_check(const struct cs_graph *g, const struct cs_models *ms, bool mode_is_given,
                       void (*say)(void *arg, int stmt, enum cs_rounding how), void *arg);

#endif
