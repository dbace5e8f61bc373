/* SPDX-License-Identifier: GPL-3.0-or-later
 * Decisions of the slicer -> GIMPLE: deletes what is not kept, leads branches that are not kept out of their region,
 * passes null for arguments that nobody needs, and tells the run time the call site and mark before every MPI call. */
#ifndef CS_APPLY_H
#define CS_APPLY_H

#include "gcc-plugin/apply/assume_gimple.h"
#include "gcc-plugin/lower/lower.h"
#include "gcc-plugin/faults/poison_stores.h"
#include "slicer/alike/alike.h"

/* Slice: deletes. Without `remove` only the call sites are announced (an instrumented original). `alike`: of a loop
 * whose turns are not after all, it says why. */
void cs_apply(struct cs_program *p, const struct cs_assumptions *as, bool remove, struct cs_alike_loops *alike,
              const struct cs_faults *faults);

#endif
