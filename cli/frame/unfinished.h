/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are not whole yet: if Ctrl-C, SIGTERM or SIGHUP ends the command, they are taken away first.
 * Where a command runs another one, child.c has these signals, and the command ends in its own way. */
#ifndef CS_UNFINISHED_H
#define CS_UNFINISHED_H

/* A file, or a folder that is then empty: the latest goes first. Names need not be there. */
void cs_unfinished(const char *name);
/* It is whole, or gone. */
void cs_finished(const char *name);

#endif
