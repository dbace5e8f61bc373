/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a command to its end, as a shell does: Ctrl-C is for the command, signals sent to us are handed on to it, and it
 * is told to end when we are killed. Processes that it leaves running can be ended. */
#ifndef CS_CHILD_H
#define CS_CHILD_H

#include <stdbool.h>

/* A program that is run: what is asked of it, and, in the last two, what became of it. */
struct cs_child {
    bool ours;        /* what it leaves running is ended when it has ended */
    bool silent;      /* no progress of ours: it shows its own, or nobody wants any */
    bool drop_stdout; /* what it prints is thrown away */
    long timeout;     /* seconds after which it is told to end, 0: never */
    bool timed_out;   /* out */
    int signal;       /* out: the last signal that came to us meanwhile, 0: none */
};

/* Returns the command's wait status, or -1 after an error message. */
int cs_child_run(struct cs_child *c, char **argv);

#endif
