/* SPDX-License-Identifier: BSD-3-Clause
 * The programs of others that verbs start, which the user may name in the environment, and folders for what they
 * need. */
#ifndef CS_TOOLS_H
#define CS_TOOLS_H

#include <limits.h>

#include "base/environment.h"

/* The build says what configure found. */
#ifndef CS_MPICC
#define CS_MPICC "mpicc"
#endif
#ifndef CS_MPIEXEC
#define CS_MPIEXEC "mpiexec"
#endif

/* What the environment's variable says, or, where it is empty or not set, `usual`. */
char *cs_tool(const char *variable, const char *usual);

/* Makes a folder "commslice-PURPOSE.*" in $TMPDIR or /tmp and writes its path to `dir`; it is removed if a signal ends
 * the command (cli/frame/unfinished.h). 0, or an exit code after a message. */
int cs_make_temporary_folder(const char *purpose, char dir[PATH_MAX]);
/* The folder, which is empty again. */
void cs_remove_temporary_folder(const char *dir);

#endif
