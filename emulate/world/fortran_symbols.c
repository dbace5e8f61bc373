/* SPDX-License-Identifier: BSD-3-Clause
 * Data that programs and MPICH's Fortran library expect from the MPI library.
 * The Fortran library sets the pointers to its own status objects when it starts. */
#include <mpi.h>

#include "emulate/world/entry.h"

static int unweighted, weights_empty;

CS_EMU_VISIBLE int *const MPI_UNWEIGHTED = &unweighted;
CS_EMU_VISIBLE int *const MPI_WEIGHTS_EMPTY = &weights_empty;
/* What mpi_f08 passes in place of its own MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY. */
CS_EMU_VISIBLE int *MPIR_C_MPI_UNWEIGHTED = &unweighted, *MPIR_C_MPI_WEIGHTS_EMPTY = &weights_empty;

CS_EMU_VISIBLE MPI_Fint *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;
CS_EMU_VISIBLE MPI_F08_status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
CS_EMU_VISIBLE int MPIR_F08_MPI_IN_PLACE, MPIR_F08_MPI_BOTTOM;
CS_EMU_VISIBLE MPI_F08_status *MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ;
CS_EMU_VISIBLE MPI_F08_status *MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
CS_EMU_VISIBLE struct MPIR_T_pvar_handle_s *const MPI_T_PVAR_ALL_HANDLES;
