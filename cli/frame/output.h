/* SPDX-License-Identifier: BSD-3-Clause
 * A file that a verb makes: it is written under another name and renamed when it is whole, so that an older file stays
 * if anything fails. A pipe or a device is written directly, and never removed. */
#ifndef CS_OUTPUT_H
#define CS_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct cs_output {
    const char *path;    /* as the user gave it */
    char to[PATH_MAX];   /* the same with links resolved */
    char name[PATH_MAX]; /* the file that is written */
    FILE *f;
    bool beside; /* name is another file, which becomes `to` at the end */
};

/* Are both the same existing file? Callers ask so as not to write over the trace that they read. */
bool cs_output_is(const char *path, const char *input);
/* Opens o->f to write `path`, which must live until the end. 0, or -1 with errno. */
int cs_output_open(struct cs_output *o, const char *path);
/* Closes the file. If `good` and all of it was written, it gets its name, else it is removed. 0, or -1; if `good`, a
 * message says why. */
int cs_output_close(struct cs_output *o, bool good);

#endif
