/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes by what they hold: signature, size and extent, kept by handle. "d3i1" is three doubles and an int. The
 * signature is the same in every run; handles are not. Also the names of reduction operations. */
#ifndef CS_TYPE_SIGNATURES_H
#define CS_TYPE_SIGNATURES_H

#include <mpi.h>
#include <stdint.h>

/* A datatype, without its signature, which only the trace has. Sizes and bounds are bytes. */
struct cs_type {
    int in_trace; /* index there; -1: nothing is recorded */
    int64_t size, extent, true_lb, true_extent;
};

/* NULL for MPI_DATATYPE_NULL, for what is no datatype, and when memory is out. With the lock held. */
const struct cs_type *cs_type_get(MPI_Datatype handle);

/* The number of pieces, stretches of memory without a gap, of a datatype; 0: not known (darray). Neighbours that touch
 * count as one piece if the same constructor placed both; else they may count as two. */
int64_t cs_type_pieces(MPI_Datatype t);

/* Forgets a handle that the program has freed. With the lock held. */
void cs_type_forget(MPI_Datatype handle);

/* The index in the trace of a reduction operation, which is defined there at first use: by MPI's name, or as "user0",
 * "user1" ... in order of first use. -1 for MPI_OP_NULL and when memory is out. With the lock held. */
int cs_op_in_trace(MPI_Op handle);
void cs_op_forget(MPI_Op handle);

#endif
