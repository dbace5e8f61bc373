/* SPDX-License-Identifier: BSD-3-Clause
 * The program that a slice was made of, as the slice carries it (section `.commslice.graph`), and where its sources
 * are.
 */
#ifndef CS_SLICE_GRAPH_H
#define CS_SLICE_GRAPH_H

#include <stddef.h>

/* The text of the section, unpacked; the caller frees. NULL after an error message. */
char *cs_slice_graph_read(const char *path, size_t *size);

/* Line `line` of a source of the slice at `path`, without the blanks around it; the caller frees. It is looked for in
 * `dir` (NULL: nowhere), here, beside the slice, and where its debug information says. NULL: it is not there. */
char *cs_slice_source_line(const char *path, const char *dir, const char *file, int line);

#endif
