/* SPDX-License-Identifier: GPL-3.0-or-later
 * The assumption that no function is called but those that a recorded run called: what the others do, and who calls
 * them, is not looked at. For programs whose pointers may reach all of a large library, of which a run uses little. */
#ifndef CS_CALLED_H
#define CS_CALLED_H

#include <stdbool.h>
#include <stddef.h>

#include "slicer/graph/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function's name as a recorded run tells it, the caller's to free: without what the compiler adds behind a '.'. */
char *cs_called_name(const struct cs_graph *g, int func);
/* Does the line, which may begin with blanks, tell how often a function was called: "called:NAME 12 times"? */
bool cs_called_is_told(const char *line);
/* Sets `uncalled` of all functions with a body but those that the file tells of, and those that are called from
 * outside. The file has lines "called:NAME 12 times", among others, as `commslice info` prints them. How many are
 * set; -1: the file cannot be read or tells nothing, with a one-line cause in err. */
int cs_called_assume(struct cs_graph *g, const char *file, char *err, size_t errlen);

#ifdef __cplusplus
}
#endif
#endif
