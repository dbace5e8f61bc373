/* SPDX-License-Identifier: BSD-3-Clause
 * What runs teach: how long each segment of the program took on each rank, and what its counters came to.
 *
 *     segment: from call site 3 to call site 5     a row: run 0, rank 2: 500 times, 1.2 ms and {counter 7: 4096} each
 *
 * Places and counters of all runs have one numbering, by file, line and function. */
#ifndef CS_OBSERVATIONS_H
#define CS_OBSERVATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "predict/model/variation.h"
#include "trace/counters.h"

/* A place that makes an MPI call. */
struct cs_observed_site {
    char *file, *func;
    int line;
};

/* A counter of the program. */
struct cs_observed_counter {
    char *file, *func;
    int line, ordinal;
    enum cs_counter_kind kind;
    bool counted; /* by every rank that knows it, and known in every run */
    bool named;   /* in the run that is being added */
};

/* What one counter comes to each time that a rank goes through a segment, on average. */
struct cs_observed_count {
    int counter;
    double mean;
};

/* A segment on a rank of a run. */
struct cs_observed_row {
    int run, rank;
    double times; /* how often the rank went this way */
    double ns;    /* each time, on average; 0 if the run has no times */
    double first; /* ns of the first time; 0: not known */
    int ncounts;
    struct cs_observed_count *count; /* ascending by counter; those that are not here are 0 */
};

/* The way from one call site to the next. -1 as `from`: the program's start, as `to`: its end. */
struct cs_observed_segment {
    int from, to;
    int nrows, rows_cap, nvaried, varied_cap;
    struct cs_observed_row *row;
    struct cs_variation *varied; /* how its times vary, in runs that say so */
};

/* A run that was observed. */
struct cs_observed_run {
    char *name; /* of its trace */
    int nranks;
    bool with_times;
    bool replayed; /* its ranks ran one by one, of tapes whose name this is */
    double whole;  /* s from MPI_Init to MPI_Finalize of the slowest rank; 0: not known */
    double size;   /* of its problem, as the user gave it; 0: not given */
};

/* How times are worked out of observations: by segment; of the whole run by its counters, or by its size and ranks. */
enum cs_method { CS_METHOD_SEGMENTS, CS_METHOD_COUNTERS, CS_METHOD_ANALYTIC, CS_METHODS };

/* "segments", "counters", "analytic". */
const char *cs_method_name(enum cs_method m);
/* The method of that name, or CS_METHODS. */
enum cs_method cs_method_find(const char *name);

/* Caches that a machine has, at most. */
enum { CS_CACHES = 4 };

struct cs_name;     /* an entry of the tables of names */
struct cs_replayed; /* a rank that was replayed (pieces.h) */

/* All that was observed. All zero is nothing. */
struct cs_observations {
    int nsites, sites_cap, ncounters, counters_cap, nsegments, segments_cap, nruns, runs_cap;
    struct cs_observed_site *site;
    struct cs_observed_counter *counter;
    struct cs_observed_segment *segment;
    struct cs_observed_run *run;
    enum cs_method method; /* that was asked for when they were made */
    int ncaches;
    double cache[CS_CACHES]; /* bytes of each cache that a core can count on, ascending; none: they are not known */
    struct cs_name *names;   /* of sites, counters and segments, to find them again */
    int nreplayed, replayed_cap;
    struct cs_replayed *replayed;
};

/* Adds a run: all ranks of a trace that has counters. The trace of a replay adds a rank to the run that it is of. 0, or
 * -1 with a one-line reason. */
int cs_observe(struct cs_observations *o, const struct cs_trace *t, const char *name, char *why, size_t whylen);

/* Where a rank was replayed several times, one row of each segment stands for all, with the least time of each of its
 * pieces (pieces.h); where its replays made different calls, with the median time. */
void cs_observed_join_replays(struct cs_observations *o);

/* Seconds from the end of MPI_Init to the beginning of MPI_Finalize of the slowest rank; 0: the trace has no times. */
double cs_recorded_seconds(const struct cs_trace *t);

/* What readers add. The number of the site, counter or segment, which is added if it is new; -1: no memory. */
int cs_observed_site_number(struct cs_observations *o, const struct cs_site *s);
int cs_observed_counter_number(struct cs_observations *o, const struct cs_counter_def *c);
int cs_observed_segment_number(struct cs_observations *o, int from, int to);
/* Adds a run without rows. 0, or -1: no memory. */
int cs_observed_add_run(struct cs_observations *o, const char *name, int nranks, bool with_times);
/* Adds a row, whose counts become the observations'. 0, or -1: no memory. */
int cs_observed_add_row(struct cs_observations *o, int segment, const struct cs_observed_row *row);

/* 0, or -1: no memory. */
int cs_observed_add_variation(struct cs_observed_segment *s, const struct cs_variation *v);

/* The number of the site, or -1. */
int cs_observed_site_find(const struct cs_observations *o, const struct cs_site *s);
/* The segment's number, or -1 if nobody went that way. */
int cs_observed_segment_find(const struct cs_observations *o, int from, int to);
/* What the row has for a counter. */
double cs_observed_mean(const struct cs_observed_row *row, int counter);

void cs_observations_free(struct cs_observations *o);

#endif
