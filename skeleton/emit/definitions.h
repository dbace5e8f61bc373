/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators, datatypes and operations of the program: their names, and the functions that make and free them. */
#ifndef CS_SKELETON_DEFINITIONS_H
#define CS_SKELETON_DEFINITIONS_H

#include "skeleton/gen/gen.h"

/* The identifier of a communicator, such as WORLD_0; "NONE" for a number that is none. */
const char *cs_gen_comm_name(struct cs_gen *g, int64_t comm);
/* C text of a datatype, such as MPI_INT or the variable type_3; of an operation, such as MPI_SUM or user0. */
const char *cs_gen_type_name(struct cs_gen *g, int64_t type);
const char *cs_gen_op_name(struct cs_gen *g, int64_t op);
/* C text of the address of a variable that holds a datatype or an operation. Tables hold such addresses, as the handles
 * are known only when the program runs. */
const char *cs_gen_type_address(struct cs_gen *g, int64_t type);
const char *cs_gen_op_address(struct cs_gen *g, int64_t op);

/* Write the enumeration of the communicators; the variables of datatypes and operations; the functions that make and
 * free these. */
void cs_gen_write_comms(struct cs_gen *g, FILE *out);
void cs_gen_write_type_variables(const struct cs_gen *g, FILE *out);
void cs_gen_write_definitions(struct cs_gen *g, FILE *out);
/* Has the program datatypes or operations to make (known once the whole nest is written)? Has the trace any that are to
 * be freed? */
bool cs_gen_has_definitions(struct cs_gen *g);
bool cs_gen_frees_definitions(struct cs_gen *g);

#endif
