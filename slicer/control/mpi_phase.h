/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where a program is with MPI when it ends: not begun, begun, or finalized.
 * Ending between MPI_Init and MPI_Finalize is no normal end, so a STOP or exit() that can only be reached there is an
 * error exit. */
#ifndef CS_MPI_PHASE_H
#define CS_MPI_PHASE_H

#include "slicer/graph/graph.h"
#include "slicer/model/model.h"

/* Sets of phases are the sum of these. */
enum cs_mpi_phase {
    CS_MPI_PHASE_BEFORE = 1,
    CS_MPI_PHASE_INSIDE = 2,
    CS_MPI_PHASE_AFTER = 4,
    CS_MPI_PHASE_ANY = CS_MPI_PHASE_BEFORE | CS_MPI_PHASE_INSIDE | CS_MPI_PHASE_AFTER
};

/* For every statement that calls a function with `noret=exit`: the phases (a set) in which it can be reached. For the
 * last one of each block of an entry, as main is: those in which control leaves it. 0 for others and for those never
 * reached. The caller frees. */
unsigned char *cs_mpi_phase_compute(struct cs_graph *g, const struct cs_effects *fx);

/* Sets taken[f], by function, for those whose address is taken: calls through pointers can reach them. Clears none.
 * True if there are any. */
bool cs_mpi_phase_taken(const struct cs_graph *g, bool *taken);

#endif
