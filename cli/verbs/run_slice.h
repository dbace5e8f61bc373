/* SPDX-License-Identifier: BSD-3-Clause
 * Runs of a slice that a verb needs for itself: their traces lie in a temporary folder and are removed. */
#ifndef CS_RUN_SLICE_H
#define CS_RUN_SLICE_H

#include <limits.h>

/* So many numbers at most. */
enum { CS_NUMBERS_MOST = 64 };

/* Numbers from a list: ranks, sizes. */
struct cs_numbers {
    int n;
    long v[CS_NUMBERS_MOST];
};

/* Reads "64,256,1024". 0, or -1 after a message in which `option` is what they were given to. */
int cs_numbers_parse(const char *option, const char *text, struct cs_numbers *s);

/* Runs the slice that `word` begins with, {n} in its words being the ranks, {size} the size, and has the trace read:
 * `read` gets its path, and a name for it, and returns an exit code. Returns that, or one after a message. */
int cs_run_slice(char **word, long ranks, const char *size, const char *dir,
                 int (*read)(void *arg, const char *trace, const char *name), void *arg);

#endif
