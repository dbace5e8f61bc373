/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls whose result decides communication, and which GCC answers itself where it comes to know their arguments: it may
 * do so in the original, where it puts functions in line, and not in the slice, or the other way round. */
#ifndef CS_FOLDING_H
#define CS_FOLDING_H

#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* Once LIVE is known: calls say() for each such call that is kept and whose arguments may be constants somewhere. Its
 * `folds` says what GCC looks at. */
void cs_folding_check(const struct cs_graph *g, const struct cs_models *ms, struct cs_pts *pts,
                      void (*say)(void *arg, int stmt), void *arg);

#endif
