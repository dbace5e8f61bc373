/* SPDX-License-Identifier: BSD-3-Clause
 * What a datatype was made from: MPI_Type_get_envelope and MPI_Type_get_contents in one, with the memory for it.
 * Shared by signatures (type_signatures.c) and the count of pieces (type_pieces.c). */
#ifndef CS_TYPE_CONTENTS_H
#define CS_TYPE_CONTENTS_H

#include <mpi.h>
#include <stdbool.h>

struct cs_type_contents {
    int combiner, nv, naddresses, ninner;
    int *v;
    MPI_Aint *address;
    MPI_Datatype *inner;
};

/* A basic type, or one of Fortran's by precision. */
bool cs_type_is_named(MPI_Datatype t);
/* Of a type that is not named. 0, or -1: not enough memory. To be freed either way. */
int cs_type_contents(MPI_Datatype t, struct cs_type_contents *c);
void cs_type_contents_free(struct cs_type_contents *c);

#endif
