/* SPDX-License-Identifier: BSD-3-Clause
 * Where our own libraries and the plugin lie: beside the executable, in a build tree or installed. */
#ifndef CS_OWN_FILES_H
#define CS_OWN_FILES_H

#include <limits.h>
#include <stddef.h>

/* An executable in `bindir` (as configure was given it) belongs to files in `libdir`. Both are absolute.
 * For an executable `exe` that was installed there and moved, writes to `path` where these files are: moved alike.
 * 0, or -1 if exe does not lie in such a place, or if the path does not fit. */
int cs_moved_dir(char path[PATH_MAX], const char *exe, const char *bindir, const char *libdir);

/* Finds the file `name` of ours for this process: in the folder `in_tree` of the build tree that its executable lies in
 * (BUILD/cli/...); else in libdir, moved as the executable was; else in libdir. Writes the first of these that can be
 * read, or the last one; -1 if it does not fit. */
int cs_own_file(char path[PATH_MAX], const char *in_tree, const char *name, const char *bindir, const char *libdir);

#endif
