/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of a program: DP*Graph++, in graphviz's language. Grey boxes are computation, with Roman numerals, and
 * triangles MPI calls; ways that go back, which are the loops, are dotted. */
#ifndef CS_PROGRAM_GRAPH_H
#define CS_PROGRAM_GRAPH_H

#include <stdio.h>

#include "cli/predict/prediction.h"

/* What a file with the picture begins with. */
#define CS_PROGRAM_GRAPH_BEGINS "// The picture of a program, by commslice\n"

/* Segments that have a numeral at most. */
enum { CS_NUMERALS = 24 };

/* Sorts the lines of a prediction by a model, which was not shed, by their shares at the target, and numbers the
 * segments of the first ones: of each segment 1 and on, or 0. To be freed; NULL: no memory. */
int *cs_numerals(struct cs_prediction *p);
/* "XIV", of 1 to 3999; returns buf. */
const char *cs_roman(char buf[16], int number);

/* Writes the graph, CS_PROGRAM_GRAPH_BEGINS first; `number` is what cs_numerals gave. 0, or -1: no memory. */
int cs_program_graph(FILE *out, const struct cs_prediction *p, const int *number);

#endif
