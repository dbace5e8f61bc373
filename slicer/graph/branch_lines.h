/* SPDX-License-Identifier: GPL-3.0-or-later
 * The branches of a program by their lines, as assumptions name them. */
#ifndef CS_BRANCH_LINES_H
#define CS_BRANCH_LINES_H

#include "slicer/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The branches (COND) of line `line` of any file, by number: the array, valid until a statement is added, and how many
 * they are. Made when it is first asked for, and again when there are more statements: their lines stay. */
const int *cs_branches_at(const struct cs_graph *g, int line, int *n);
/* The first function behind `func` (-1: of all) with a branch of that line and file, a name without folders; -1: none.
 */
int cs_branches_func(const struct cs_graph *g, const char *file, int line, int func);

#ifdef __cplusplus
}
#endif
#endif
