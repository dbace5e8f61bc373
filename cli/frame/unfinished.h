/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are not whole yet: if Ctrl-C, SIGTERM or SIGHUP ends the command, they are removed first.
 * While a command runs another program, child.c handles these signals, and the command removes its files itself. */
#ifndef CS_UNFINISHED_H
#define CS_UNFINISHED_H

/* Adds the name of a file or folder, which need not exist. A folder is added before
 * its files: the latest is removed first. */
void cs_unfinished(const char *name);
/* Takes the name from the list: the file is whole, or gone. */
void cs_finished(const char *name);

#endif
