/* SPDX-License-Identifier: BSD-3-Clause
 * Calls with large counts, as the generated ones and those of this folder need them. The library counts elements with
 * int: a number that is larger ends the run and says so. */
#ifndef CS_LARGE_COUNTS_H
#define CS_LARGE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/types/type.h"

/* Arrays of counts and displacements that one call may have. */
enum { CS_EMU_LARGE_ARRAYS = 4 };

/* A call under way, and the copies of its arrays. */
struct cs_emu_large {
    const char *call;
    const void *caller; /* its return address */
    int narrays;
    int *arrays[CS_EMU_LARGE_ARRAYS];
};

/* The number as int. */
int cs_emu_large_number(const struct cs_emu_large *l, MPI_Count n);
/* A copy, until cs_emu_large_end, of an array of n of MPI_Count or MPI_Aint; NULL for NULL. */
const int *cs_emu_large_array(struct cs_emu_large *l, const void *numbers, MPI_Count n);
void cs_emu_large_end(struct cs_emu_large *l);

/* How long an array is whose length is this enum cs_mpi_length; 0 if the communicator is none. */
int cs_emu_large_length(MPI_Comm comm, int length);
/* Is this rank the root, whose arrays mean something? */
bool cs_emu_large_at_root(MPI_Comm comm, int root);

#endif
