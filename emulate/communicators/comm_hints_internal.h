/* SPDX-License-Identifier: BSD-3-Clause
 * Hints of communicators (MPI_Comm_set_info): those that MPICH 4.0.2 knows, with its defaults. */
#ifndef CS_COMM_HINTS_INTERNAL_H
#define CS_COMM_HINTS_INTERNAL_H

#include <mpi.h>

struct cs_emu_comm;

/* Takes from `info` (may be MPI_INFO_NULL) the hints that are known; others are ignored, as MPI has it. Returns an
 * error class. */
int cs_emu_comm_take_hints(struct cs_emu_comm *c, MPI_Info info);
/* A new info object with all hints that are known. MPI_INFO_NULL when memory is out. */
MPI_Info cs_emu_comm_hints(const struct cs_emu_comm *c);

#endif
