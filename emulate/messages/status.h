/* SPDX-License-Identifier: BSD-3-Clause
 * The fields of MPI_Status that MPI leaves to the library, as MPICH has them: the low 32 bits of the bytes received are
 * in count_lo, the high ones in count_hi_and_cancelled from bit 1 on, and whether it was cancelled in bit 0. */
#ifndef CS_STATUS_H
#define CS_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

/* Sets all but MPI_ERROR; nothing for MPI_STATUS_IGNORE. */
void cs_emu_status_set(MPI_Status *s, int source, int tag, int64_t bytes, bool cancelled);
/* What MPI calls an empty status. */
void cs_emu_status_empty(MPI_Status *s);

/* The bytes received. */
int64_t cs_emu_status_bytes(const MPI_Status *s);
void cs_emu_status_set_bytes(MPI_Status *s, int64_t bytes);

#endif
