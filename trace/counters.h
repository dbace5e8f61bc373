/* SPDX-License-Identifier: BSD-3-Clause
 * Counters in a trace: how often loops went round and branches were taken, for each rank and each segment.
 * The original with counters and the slice with counters define the same ones, so that they can be compared. */
#ifndef CS_COUNTERS_H
#define CS_COUNTERS_H

#include "trace/trace.h"

/* What is counted: iterations of a loop, or how often a branch was taken. */
enum cs_counter_kind { CS_COUNTER_LOOP, CS_COUNTER_BRANCH, CS_COUNTER_KINDS };

/* A counter by its place in the program as it was before slicing. What is equal in two traces is the same counter.
 * `ordinal` tells counters of one line of a function apart: their order in the flow graph. */
struct cs_counter_def {
    const char *file, *func;
    int line, ordinal;
    enum cs_counter_kind kind;
    bool counted; /* false: the slice does not know it, as it depends on data that the slice dropped */
};

/* What one counter came to. */
struct cs_count {
    int64_t counter; /* index into the rank's counters */
    uint64_t sum;    /* modulo 2^64 */
};

/* All that a rank did on the ways from one call site to the next one:
 *
 *     from | times x computation, which took ns and counted sum[] | to */
struct cs_segment {
    int from, to;  /* indices into the rank's sites; -1 as `from`: the start of the program, as `to`: its end */
    int64_t times; /* how often the rank went this way */
    int64_t ns;    /* of all these times together, scheduling delay taken off; 0 when the run has no times */
    int nsums;
    const struct cs_count *sum; /* ascending by counter; those that are not here are 0 */
};

/* The number of the counter, or -1 and errno. */
int cs_trace_def_counter(struct cs_trace_writer *w, const struct cs_counter_def *c);
/* Once for each pair of sites, when the rank's run ends, after its counters and sites. 0, or -1 and errno. */
int cs_trace_def_segment(struct cs_trace_writer *w, const struct cs_segment *s);

/* 0 for a run without counters. What the pointers lead to lives as long as the trace. */
int cs_trace_ncounters(const struct cs_trace *t, int rank);
const struct cs_counter_def *cs_trace_counter(const struct cs_trace *t, int rank, int counter);
int cs_trace_nsegments(const struct cs_trace *t, int rank);
const struct cs_segment *cs_trace_segment(const struct cs_trace *t, int rank, int segment);

#endif
