/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where pointers point, as ways from a variable of the program: behind the pointer that is 88 bytes in `chunk`, in its
 * elements of 2776 bytes, the member at 512. For people who ask why something is kept: that nobody points such a
 * pointer elsewhere in between is taken for granted. */
#ifndef CS_POINTER_PATHS_H
#define CS_POINTER_PATHS_H

#include <stdbool.h>

#include "slicer/graph/graph.h"

/* Most levels of a way. */
enum { CS_PATH_LEVELS = 4 };
/* At off[0] in the variable; then, for each further level, behind the pointer that is there, so far. stride: of the
 * elements of an array in which it is, 0: it is in none. */
struct cs_path {
    int obj, n;
    int64_t off[CS_PATH_LEVELS], stride[CS_PATH_LEVELS];
};

struct cs_pointer_paths;

/* callers: of each function the calls of it; graph and calls must stay. The caller frees it. */
struct cs_pointer_paths *cs_pointer_paths_start(const struct cs_graph *g, const struct cs_intlist *callers);
void cs_pointer_paths_free(struct cs_pointer_paths *p);
/* The callers that it was given. */
const struct cs_intlist *cs_pointer_callers(const struct cs_pointer_paths *p);
/* The way to the place `at` behind a pointer of the function, for this call of it (-1: for all). False: it is not
 * known. */
bool cs_pointer_path(struct cs_pointer_paths *p, int func, int call, struct cs_operand pointer, struct cs_pattern at,
                     struct cs_path *to);
bool cs_same_path(const struct cs_path *a, const struct cs_path *b);
/* Behind moves of a value, and where all that meet are the same. */
struct cs_operand cs_moved_from(const struct cs_graph *g, struct cs_operand op);
/* Which parameter of the function is the value? -1: none. */
int cs_param_number(const struct cs_graph *g, int func, struct cs_operand op);

#endif
