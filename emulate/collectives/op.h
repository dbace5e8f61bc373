/* SPDX-License-Identifier: BSD-3-Clause
 * Reduction operations of the emulated library, predefined and of the user. */
#ifndef CS_OP_H
#define CS_OP_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

/* inout[i] = in[i] op inout[i] for n elements in the layout of the type (not packed). Returns an error class:
 * MPI_ERR_OP if the operation does not go with the type. */
int cs_emu_reduce(MPI_Op op, const void *in, void *inout, int64_t n, MPI_Datatype t);
bool cs_emu_op_commutes(MPI_Op op);
bool cs_emu_op_predefined(MPI_Op op);
/* A nonblocking call holds on to its operation: MPI_Op_free of the program only drops the program's reference. */
void cs_emu_op_hold(MPI_Op op);
void cs_emu_op_release(MPI_Op op);
/* MPI_SUCCESS, or the error class of an operation that cannot be used with this type. */
int cs_emu_op_check(MPI_Op op, MPI_Datatype t);

#endif
