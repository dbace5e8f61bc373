/* SPDX-License-Identifier: BSD-3-Clause
 * The predefined operations, for op.c.
 * Which types they take is MPICH's choice: some more than MPI asks for. */
#ifndef CS_OP_INTERNAL_H
#define CS_OP_INTERNAL_H

#include <stdbool.h>

#include <mpi.h>

/* Does a predefined operation go with the type? */
bool cs_emu_op_takes(MPI_Op op, MPI_Datatype t);
/* inout[i] = in[i] op inout[i], if it does. */
void cs_emu_op_apply(MPI_Op op, const void *in, void *inout, int n, MPI_Datatype t);

#endif
