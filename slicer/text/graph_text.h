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
/* The same. Returns by value its number in the graph that cs_graph_read() makes of the text, -1 if the text does not
 * have it; the caller frees. */
int *cs_graph_write_numbered(const struct cs_graph *g, FILE *out);

/* The graph of a text, which the caller frees, or NULL with `name:line: cause` in err. */
struct cs_graph *cs_graph_read(FILE *in, const char *name, char *err, size_t errlen);

#ifdef __cplusplus
}
#endif
#endif
