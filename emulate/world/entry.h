/* SPDX-License-Identifier: BSD-3-Clause
 * How the emulated library defines an MPI call: PMPI_X, and MPI_X as a weak alias of it, both visible.
 * Everything else is hidden; the parts of the library never call each other through MPI names. */
#ifndef CS_ENTRY_H
#define CS_ENTRY_H

#include <mpi.h>

#define CS_EMU_VISIBLE __attribute__((visibility("default")))

/* CS_EMU_CALL(int, Comm_rank, (MPI_Comm comm, int *rank)) { ... } */
#define CS_EMU_CALL(result, name, arguments) \
    CS_EMU_VISIBLE result PMPI_##name arguments; \
    CS_EMU_VISIBLE result MPI_##name arguments __attribute__((weak, alias("PMPI_" #name))); \
    CS_EMU_VISIBLE result PMPI_##name arguments

/* The same for an extension of MPICH: PMPIX_X and MPIX_X. */
#define CS_EMU_EXTENSION(result, name, arguments) \
    CS_EMU_VISIBLE result PMPIX_##name arguments; \
    CS_EMU_VISIBLE result MPIX_##name arguments __attribute__((weak, alias("PMPIX_" #name))); \
    CS_EMU_VISIBLE result PMPIX_##name arguments

#endif
