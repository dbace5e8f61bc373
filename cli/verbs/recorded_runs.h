/* SPDX-License-Identifier: BSD-3-Clause
 * What recorded runs of an instrumented original did: how often conditions held, and what values were. */
#ifndef CS_RECORDED_RUNS_H
#define CS_RECORDED_RUNS_H

#include "base/recorded_value.h"

/* Runs at most. */
enum { CS_RUNS_MOST = 8 };

/* What the condition of a line did in a recorded run: it held so often of so many times. */
struct cs_line_seen {
    char *place; /* FILE:LINE */
    long long held, times;
    int runs; /* in which it was asked */
};
/* All lines and values of which traces tell that, of several what they tell together; it owns them. */
struct cs_seen {
    struct cs_line_seen *line;
    size_t n, cap;
    struct cs_recorded_value *value;
    size_t nvalues, values_cap;
    char **called; /* lines "called:NAME 12 times" of all runs: which functions they called */
    size_t ncalled, called_cap;
    int nranks[CS_RUNS_MOST]; /* of the runs, nruns of them: no two the same */
    int nruns;
};

/* Adds what the trace of a run tells. 0, or an exit code after a message. */
int cs_seen_read(const char *path, struct cs_seen *to);
/* When all are read: of several runs it counts what holds on any number of ranks. */
void cs_seen_join(struct cs_seen *s);
void cs_seen_free(struct cs_seen *s);

#endif
