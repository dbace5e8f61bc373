/* SPDX-License-Identifier: BSD-3-Clause
 * The slicer, which is in a program of its own, commslice-advise: it gets a stored program and prints lines
 * (advise/commslice-advise.c). */
#ifndef CS_SLICER_HELPER_H
#define CS_SLICER_HELPER_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Where it is; false: no path fits. */
bool cs_slicer_path(char path[PATH_MAX]);
/* Starts it with this text as its standard input, and argv, of which argv[0] is filled in. The end of the pipe from
 * which its answer comes, for cs_slicer_end(), or NULL after a message. */
FILE *cs_slicer_start(const char *text, size_t size, char **argv, pid_t *child);
/* Closes the pipe and waits; did it end well? It has said why if it did not. */
bool cs_slicer_end(FILE *answer, pid_t child);

#endif
