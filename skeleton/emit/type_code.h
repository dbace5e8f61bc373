/* SPDX-License-Identifier: BSD-3-Clause
 * Code that makes a datatype from its signature (docs/reference/trace-format.md). */
#ifndef CS_SKELETON_TYPE_CODE_H
#define CS_SKELETON_TYPE_CODE_H

#include "skeleton/gen/gen.h"

/* The name, without MPI_, of the type if it is one element of a basic type; else NULL. */
const char *cs_gen_basic_type(struct cs_gen *g, const struct cs_type_def *t);
/* Writes the statements that set variable type_<i>; counts g->type_parts. Refuses a signature that it does not
 * understand. */
void cs_gen_write_type(struct cs_gen *g, FILE *out, int64_t i);
/* Writes the function join(), which the statements call for types of several runs. */
void cs_gen_write_join(FILE *out);

#endif
