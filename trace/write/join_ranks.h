/* SPDX-License-Identifier: BSD-3-Clause
 * Makes a trace small when its run has ended: ranks that do the same become one block class. */
#ifndef CS_JOIN_RANKS_H
#define CS_JOIN_RANKS_H

#include <stdbool.h>

/* Writes the trace at `path` anew with block classes, and puts the new file in its place; nobody may be writing to it.
 * It reads the same as before. Left as they are: a trace with times, one that is damaged, one whose sections take more
 * than 64 MB or whose classes would take more than 256 MB of memory, one that would not become smaller, a file with
 * several names, and, with `complete`, one that lacks the end of a rank.
 * 0, also if it is left as it is; -1 and errno if the new file could not be written: the old one is there. */
int cs_trace_join_ranks(const char *path, bool complete);

#endif
