/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators, datatypes and operations of the program: their names, and the functions that make and free them. */
#ifndef CS_SKELETON_DEFINITIONS_H
#define CS_SKELETON_DEFINITIONS_H

#include "skeleton/gen/gen.h"

/* The identifier of a communicator, such as WORLD_0; "NONE" for a number that is none. */
const char *cs_gen_comm_name(struct cs_gen *g, int64_t comm);
/* Text of a datatype: MPI_INT, or a variable. */
const char *cs_gen_type_name(struct cs_gen *g, int64_t type);
const char *cs_gen_op_name(struct cs_gen *g, int64_t op);
/* Address of a variable that holds a datatype or an operation: what a table of them has, as they are known only when
 * the program runs. */
const char *cs_gen_type_address(struct cs_gen *g, int64_t type);
const char *cs_gen_op_address(struct cs_gen *g, int64_t op);

/* Enumeration of the communicators; variables of datatypes and operations; the functions that make and free them. */
void cs_gen_write_comms(struct cs_gen *g, FILE *out);
void cs_gen_write_type_variables(const struct cs_gen *g, FILE *out);
void cs_gen_write_definitions(struct cs_gen *g, FILE *out);
/* Are there any to make? Known once the whole nest is written. Are there, as far as the trace says, any that are to be
 * freed? */
bool cs_gen_has_definitions(struct cs_gen *g);
bool cs_gen_frees_definitions(struct cs_gen *g);

#endif
