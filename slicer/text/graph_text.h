/* SPDX-License-Identifier: GPL-3.0-or-later
 * The text form of a program graph, which people and tests read and write: docs/reference/graph-text.md.
 * The door of this folder. */
#ifndef CS_GRAPH_TEXT_H
#define CS_GRAPH_TEXT_H

#include <stdio.h>

#include "slicer/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes what a compiler or a test has put into the graph, and its decisions as comments. What the analyses add (heap
 * objects, pseudo statements) is left out: they make it again. Memory that is out ends the process; errors of the
 * stream are the caller's to look for. */
void cs_graph_write(const struct cs_graph *g, FILE *out);
/* By value, object and statement: its number in the graph that cs_graph_read() makes of a text, -1 if the text does not
 * have it. So many there were when it was written. */
struct cs_text_numbers {
    int *value, *obj, *stmt;
    int nvalues, nobjs, nstmts;
};
/* The same, and sets *n, which is cs_text_numbers_free()'s. */
void cs_graph_write_numbered(const struct cs_graph *g, FILE *out, struct cs_text_numbers *n);
void cs_text_numbers_free(struct cs_text_numbers *n);

/* The graph of a text, which the caller frees, or NULL with `name:line: cause` in err. */
struct cs_graph *cs_graph_read(FILE *in, const char *name, char *err, size_t errlen);

#ifdef __cplusplus
}
#endif
#endif
