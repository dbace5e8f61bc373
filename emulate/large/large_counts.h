/* SPDX-License-Identifier: BSD-3-Clause
 * Calls with large counts, as the generated ones need them. The library counts elements with int. A larger number of
 * elements becomes one of a type that has so many; where that cannot be, such a number ends the run and says so. */
#ifndef CS_LARGE_COUNTS_H
#define CS_LARGE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "emulate/types/type.h"

/* Arrays of counts and displacements that one call may have, and buffers. */
enum { CS_EMU_LARGE_ARRAYS = 4, CS_EMU_LARGE_TYPES = 3 };

/* A call under way, the copies of its arrays, and the types that stand for many elements of its buffers. */
struct cs_emu_large {
    const char *call;
    const void *caller; /* its return address */
    int narrays;
    int *arrays[CS_EMU_LARGE_ARRAYS];
    int ntypes;
    MPI_Datatype types[CS_EMU_LARGE_TYPES];
};

/* The number as int. */
int cs_emu_large_number(const struct cs_emu_large *l, MPI_Count n);
/* n elements of *type as int: those of a type that takes the place of *type if there are too many. A number or a type
 * that is wrong stays wrong: where it means nothing, as of MPI_IN_PLACE, nobody looks at it. */
int cs_emu_large_elements(struct cs_emu_large *l, MPI_Count n, MPI_Datatype *type);
/* A copy, until cs_emu_large_end, of an array of n of MPI_Count or MPI_Aint; NULL for NULL. */
const int *cs_emu_large_array(struct cs_emu_large *l, const void *numbers, MPI_Count n);
void cs_emu_large_end(struct cs_emu_large *l);

/* How long an array is whose length is this enum cs_mpi_length; 0 if the communicator is none. */
int cs_emu_large_length(MPI_Comm comm, int length);
/* Is this rank the root, whose arrays mean something? */
bool cs_emu_large_at_root(MPI_Comm comm, int root);

#endif
