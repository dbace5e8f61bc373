/* SPDX-License-Identifier: GPL-3.0-or-later
 * Real numbers that decide communication and that GCC may round otherwise in the slice than in the original, as it
 * looks at what is around them: fused products and sums, -ffast-math, a rounding mode that the program sets. */
#ifndef CS_ROUNDING_H
#define CS_ROUNDING_H

#include "slicer/model/model.h"

/* Once LIVE is known: calls say() for the first such statement of each kind that is kept. Its `rounding` says how. */
void cs_rounding_check(const struct cs_graph *g, const struct cs_models *ms, void (*say)(void *arg, int stmt),
                       void *arg);

#endif
