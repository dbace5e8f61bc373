/* SPDX-License-Identifier: GPL-3.0-or-later
 * How long message buffers and arrays of requests are whose count or datatype is no literal. */
#ifndef CS_EXTENTS_H
#define CS_EXTENTS_H

#include "slicer/pointsto/pointsto.h"

/* Shortens the places that MPI calls read and write, as far as points-to knows the count and the datatype, and the
 * descriptors of mpi_f08 that say that an array has one dimension and no gaps. */
void cs_extents_find(struct cs_graph *g, struct cs_models *ms, struct cs_pts *pts);

#endif
