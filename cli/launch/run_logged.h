/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a command whose output is wanted, or not to be seen. */
#ifndef CS_RUN_LOGGED_H
#define CS_RUN_LOGGED_H

/* Runs a command with its standard output in the file `log`. 0, or -1 after a message, in which `what` stands before
 * the command's name. */
int cs_run_logged(const char *log, char **argv, const char *what);

#endif
