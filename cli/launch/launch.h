/* SPDX-License-Identifier: BSD-3-Clause
 * Starts programs under the recorder, for run and record: environment, old trace, waiting, the line at the end.
 * The recorder is a preloaded library; docs/developers/architecture.md says what it reads from the environment. */
#ifndef CS_LAUNCH_H
#define CS_LAUNCH_H

#include <stdbool.h>

#include "cli/launch/emulate_options.h"

/* A recording: the caller sets trace to times, force, assumptions and world; cs_launch_prepare finds the paths, which
 * cs_launch_free frees. */
struct cs_launch {
    const char *trace;       /* as the user gave it */
    char *trace_path;        /* absolute: ranks may change their directory */
    char *library;           /* path of the recorder's library */
    char *emulated;          /* path of the emulated MPI library, preloaded behind it; NULL: another engine */
    const char *assumptions; /* one a line, for the recorder; NULL or "": none */
    bool times;
    bool watched; /* for the monitor, unless COMMSLICE_MONITOR says no; else only if it says so */
    bool replays; /* one rank alone, of a tape: the others are not missed */
    bool slice;   /* of a slice, which has no way into an error */
    bool force;   /* remove what is in the trace's place, whatever file it is */
    const struct cs_world *world;
};

/* Finds the library of the engine, resolves the path of the trace and removes an older trace there. Prints errors. */
int cs_launch_prepare(struct cs_launch *l, const char *engine);
/* Sets the recorder's variables in this process's environment; with_preload also LD_PRELOAD. */
int cs_launch_environment(const struct cs_launch *l, bool with_preload);
/* The value of LD_PRELOAD that adds the library to what is there; free it. */
char *cs_launch_preload(const struct cs_launch *l);
/* Runs the command, waits, and prints ranks, events and size in one line. It is an error if l->world gives a number of
 * ranks and another number ran. Returns the verb's exit code. */
int cs_launch_run(const struct cs_launch *l, char **argv);
void cs_launch_free(struct cs_launch *l);

#endif
