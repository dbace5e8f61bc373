/* SPDX-License-Identifier: BSD-3-Clause
 * Which plugin goes with a compiler. GCC loads only a plugin that was built for its own version, so that an
 * installation has one for each version: LIBDIR/gcc-12/commslice.so, LIBDIR/gcc-14/commslice.so. */
#ifndef CS_PLUGIN_FILE_H
#define CS_PLUGIN_FILE_H

/* The plugin for what `wrapper` runs, a path or a name for execvp(): that of the build tree that this executable lies
 * in; else the installed one for the version that `wrapper -dumpversion` prints. A static string; the file need not be
 * there. */
const char *cs_plugin_file(const char *wrapper);

#endif
