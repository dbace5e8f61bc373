/* SPDX-License-Identifier: BSD-3-Clause
 * A file that a verb makes: it is written under another name and renamed when it is whole, so that the file that is
 * there stays if anything fails. A pipe or a device is written directly, and never removed. */
#ifndef CS_OUTPUT_H
#define CS_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/file_kind.h"

/* A file while it is made: written as `name`, which cs_output_close renames to `to`. */
struct cs_output {
    const char *path;    /* as the user gave it */
    char to[PATH_MAX];   /* the same with links resolved */
    char name[PATH_MAX]; /* the file that is written */
    FILE *f;
    bool beside; /* name is another file, which becomes `to` at the end */
};

/* What a verb asks for at its beginning, since a later refusal would come after all the work: may `path` become a file
 * of this kind? Refused are the input itself (NULL: none), and a file of another kind unless `force` says so. 0, or
 * CS_EXIT_ERROR after a message. */
int cs_output_check(const char *path, const char *input, const struct cs_file_kind *kind, bool force);
/* The same for a file that is renamed into its place: what is no regular file is refused, too. */
int cs_output_check_file(const char *path, const char *input, const struct cs_file_kind *kind, bool force);
/* Opens o->f to write `path`, which must live until the end and have been checked. 0, or -1 after a message. */
int cs_output_open(struct cs_output *o, const char *path);
/* Closes the file. If `good` and all of it was written, it gets its name, else it is removed. 0, or -1; if `good`, a
 * message says why. */
int cs_output_close(struct cs_output *o, bool good);

#endif
