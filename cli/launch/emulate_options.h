/* SPDX-License-Identifier: BSD-3-Clause
 * The options of an MPI world that verbs run and record share, and how engine emulate gets them: by the environment. */
#ifndef CS_EMULATE_OPTIONS_H
#define CS_EMULATE_OPTIONS_H

#include "cli/frame/cli.h"

/* What becomes of what ranks print. */
enum cs_stdout { CS_STDOUT_SHOW, CS_STDOUT_TAG, CS_STDOUT_DROP };

/* What the user asked of an MPI world: all zero is "nothing said". */
struct cs_world {
    long ranks, jobs, timeout; /* 0: not given */
    long long memory;          /* bytes of data per rank; 0: no limit */
    enum cs_stdout out;        /* what becomes of what ranks print */
    bool quiet;                /* no progress, no line at the end */
    bool json;                 /* the line at the end as JSON, also if quiet */
    long share, shares;        /* only share number `share` of `shares` runs; 0: all ranks do */
};

/* For the tables of getopt_long, and the short options that go with them. */
#define CS_WORLD_OPTIONS \
    {"ranks", required_argument, NULL, 'n'}, {"jobs", required_argument, NULL, 'j'}, \
        {"timeout", required_argument, NULL, 't'}, {"memory", required_argument, NULL, 'm'}, \
        {"stdout", required_argument, NULL, 'O'}, {"json", no_argument, NULL, 'J'}, \
    { \
        "quiet", no_argument, NULL, 'q' \
    }
#define CS_WORLD_SHORTS "n:j:t:m:q"

/* For the usage texts. */
#define CS_WORLD_USAGE \
    "      --stdout HOW    what ranks print: show (as it comes), tag (with [RANK] before each line) or drop\n" \
    "  -t, --timeout S     ends a run that takes longer than S seconds; engine emulate says who waits for what\n" \
    "  -q, --quiet         no progress on the terminal, no summary at the end\n" \
    "      --json          the summary as one JSON object, the last line on standard output\n" \
    "With engine emulate also:\n" \
    "  -j, --jobs J        ranks that are started at a time; a rank that waits makes room for the next\n" \
    "  -m, --memory M      limit of a rank's data, such as 200M\n"

/* Takes an option of getopt, and ignores one that is not of CS_WORLD_OPTIONS. CS_EXIT_OK, or the exit code after a
 * message: the value is wrong. */
int cs_world_option(const struct cs_verb *v, struct cs_world *w, int option, const char *value);
/* Was an option given that only engine emulate has (--jobs, --memory)? */
bool cs_world_needs_emulate(const struct cs_world *w);
/* Sets the environment for the first process, which becomes the parent of the ranks. 0 or an exit code. */
int cs_world_environment(const struct cs_world *w);

#endif
