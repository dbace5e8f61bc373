/* SPDX-License-Identifier: GPL-3.0-or-later
 * A program as a slice carries it in the section `.commslice.graph`, so that it can be sliced again without its
 * compiler: the graph before any decision, and what the link was told (docs/reference/slice-info.md). */
#ifndef CS_STORED_H
#define CS_STORED_H

#include <stdbool.h>
#include <stdio.h>

#include "slicer/graph/graph.h"
#include "slicer/graph/learnt.h"
#include "slicer/text/graph_text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All that a slice was made from but the effects table of commslice. The arrays and texts are its own, for
 * cs_stored_free(). */
struct cs_stored_program {
    bool keep_errors, mode_is_given; /* these, and the three below, as in struct cs_slice_options */
    int budget;
    char *counter; /* NULL: none */
    int count_how;
    int nassumes;
    char **assumes; /* as they were given */
    char *effects;  /* rows that the user added, one text */
    struct cs_graph *graph;
    struct cs_learnt learnt; /* what the link found out, under these assumptions */
};

/* Has what was learnt speak of the graph that will be read: `n` is what cs_graph_write_numbered() gave, when it wrote
 * the graph that it was learnt of. What is about something that the text does not have goes. */
void cs_stored_renumber(struct cs_learnt *l, const struct cs_text_numbers *n);
/* Writes it as text; `graph` is what cs_graph_write() made of the graph before any decision, and p->graph is not looked
 * at. Errors of the stream are the caller's to look for. */
void cs_stored_write(const struct cs_stored_program *p, const char *graph, FILE *out);
/* Reads such a text of `size` bytes; 0, or -1 with a cause in err. Free *p in any case. */
int cs_stored_read(const char *text, size_t size, struct cs_stored_program *p, char *err, size_t errlen);
void cs_stored_free(struct cs_stored_program *p);

#ifdef __cplusplus
}
#endif
#endif
