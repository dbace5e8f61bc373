/* SPDX-License-Identifier: BSD-3-Clause
 * What a datatype was made from: MPI_Type_get_envelope and MPI_Type_get_contents in one, with the memory for it.
 * Shared by signatures (type_signatures.c) and the count of pieces (type_pieces.c). */
#ifndef CS_TYPE_CONTENTS_H
#define CS_TYPE_CONTENTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The results of the two calls, as of a constructor without large counts: `v` are the integers (nv of them), `inner`
 * the datatypes. */
struct cs_type_contents {
    int combiner, nv, naddresses, ninner;
    int64_t *v;
    MPI_Aint *address;
    MPI_Datatype *inner;
};

/* Is it a predefined type, or one of MPI_Type_create_f90_real and its kin? Such types have no contents. */
bool cs_type_is_named(MPI_Datatype t);
/* Sets *c for a type that is not named. 0, or -1 when memory is out; *c is to be freed either way. */
int cs_type_contents(MPI_Datatype t, struct cs_type_contents *c);
void cs_type_contents_free(struct cs_type_contents *c);

#endif
