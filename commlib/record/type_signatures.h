/* SPDX-License-Identifier: BSD-3-Clause
 * Datatypes by what they are made of: a canonical signature, size and extent, kept per handle.
 * The signature is the same in every run, whatever the handles are. */
#ifndef CS_TYPE_SIGNATURES_H
#define CS_TYPE_SIGNATURES_H

#include <mpi.h>
#include <stdint.h>

struct cs_type {
    int in_trace; /* index there; -1: nothing is recorded */
    int64_t size, extent, true_lb, true_extent;
};

/* NULL for MPI_DATATYPE_NULL, for what is no datatype, and when memory is out. With the lock held. */
const struct cs_type *cs_type_get(MPI_Datatype handle);

/* Stretches of memory without a gap that a datatype is made of; 0: not known (darray). Neighbours that touch are one
 * where both are of the same level of the type; elsewhere they may count as two. */
int64_t cs_type_pieces(MPI_Datatype t);

/* The handle is freed. With the lock held. */
void cs_type_forget(MPI_Datatype handle);

/* Name of a reduction operation for the trace: MPI's own, or "user0", "user1" ... in order of first use. -1 for none.
 * With the lock held. */
int cs_op_in_trace(MPI_Op handle);
void cs_op_forget(MPI_Op handle);

#endif
