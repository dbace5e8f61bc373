/* SPDX-License-Identifier: BSD-3-Clause
 * A merged trace as text: its classes, and the nest of loops with one call a line. */
#ifndef CS_PRINT_NEST_H
#define CS_PRINT_NEST_H

#include <stdio.h>

#include "api/mpi_calls.h"
#include "trace/nest/nest.h"

void cs_print_nest(FILE *out, const struct cs_merged *m);
/* "0-3,8,12-60/4" */
void cs_print_ranks(FILE *out, const struct cs_ranges *r);
/* Prints one value by its rule: "7", "me+1", "me^4", or a table's "{3 5*2}" (3, 5 and 5); `role` decides on words such
 * as "any". */
void cs_print_value(FILE *out, const struct cs_merged *m, const struct cs_merged_record *r, int field,
                    enum cs_role role);

#endif
