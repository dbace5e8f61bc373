/* SPDX-License-Identifier: BSD-3-Clause
 * The program that a slice was made of, as the slice carries it (section `.commslice.graph`), and where its sources
 * are.
 */
#ifndef CS_SLICE_GRAPH_H
#define CS_SLICE_GRAPH_H

#include <stddef.h>

/* The text of the section, unpacked; the caller frees. NULL after an error message. */
char *cs_slice_graph_read(const char *path, size_t *size);

/* Sources of a slice, as far as they were asked for. */
struct cs_sources;
/* They are looked for in `dir` (NULL: nowhere), here, beside the slice at `path`, and where its debug information says.
 * NULL: memory is out. Both strings must stay. */
struct cs_sources *cs_sources_new(const char *path, const char *dir);
/* A line of a source, without the blanks around it, or of Fortran its whole statement; NULL if it is not there. It
 * lives as long as the sources. */
const char *cs_source_line(struct cs_sources *s, const char *file, int line);
void cs_sources_free(struct cs_sources *s);

#endif
