/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rank variance: which statements may run differently often, or with different values, on different ranks.
 * A forward taint from MPI_Comm_rank, received messages, files and clocks; collectives like Bcast and Allreduce make
 * content equal again. */
#ifndef CS_VARIANCE_H
#define CS_VARIANCE_H

#include "slicer/control/control_dependence.h"
#include "slicer/model/model.h"
#include "slicer/pointsto/pointsto.h"

/* The result has an element for each statement: true for a call if ranks may disagree on whether, or how often, it
 * runs; false for all other statements. The caller frees. */
bool *cs_variance_compute(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts, const struct cs_cdep *cdep);

#endif
