/* SPDX-License-Identifier: GPL-3.0-or-later
 * By which calls of MPI of the same function a nonblocking call is completed: its message is there only then. For
 * people who ask why something is kept. */
#ifndef CS_COMPLETED_H
#define CS_COMPLETED_H

#include "slicer/graph/graph.h"

/* Adds the calls of the function, as MPI_Waitall, that are given the request of the call, or the array it is in. None:
 * that is not known. */
void cs_completed_by(const struct cs_graph *g, int call, struct cs_intlist *by);

#endif
