/* SPDX-License-Identifier: BSD-3-Clause
 * A file that a verb makes: it is written beside its name and takes the name when it is whole, so that what was there
 * stays if anything fails. A pipe or a device is written as it is, and never taken away. */
#ifndef CS_OUTPUT_H
#define CS_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct cs_output {
    const char *path;    /* what the user calls it */
    char to[PATH_MAX];   /* where that is: links lead to it */
    char name[PATH_MAX]; /* where it is written */
    FILE *f;
    bool beside; /* the two differ */
};

/* Are both there, and one file? Nothing may be written over the trace that is read. */
bool cs_output_is(const char *path, const char *input);
/* Begins `path`. 0, or -1 with errno. */
int cs_output_open(struct cs_output *o, const char *path);
/* Ends it: gives it its name if `good` and all of it arrived, else takes it away. 0, or -1, after a message if `good`.
 */
int cs_output_close(struct cs_output *o, bool good);

#endif
