/* SPDX-License-Identifier: BSD-3-Clause
 * The generated program as a whole, around its body. */
#ifndef CS_SKELETON_WRITE_PROGRAM_H
#define CS_SKELETON_WRITE_PROGRAM_H

#include "skeleton/gen/gen.h"

/* Writes the program; `body` and `tables` are what the steps have printed. Sets g->failed on failure. */
void cs_gen_write_program(struct cs_gen *g, FILE *out, const char *body, const char *tables);

#endif
