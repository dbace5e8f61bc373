/* SPDX-License-Identifier: BSD-3-Clause
 * What ranks do over the time of a run: a trace with times, event by event, into a bounded number of bins of time and
 * rows of ranks. Bins become twice as wide whenever the run turns out to be longer, so one pass is enough. */
#ifndef CS_TIMELINE_H
#define CS_TIMELINE_H

#include "trace/analyse/phases.h"
#include "trace/trace.h"

#define CS_TIMELINE_BINS 240 /* even; at least half of them are in use */
#define CS_TIMELINE_ROWS 64

/* A rank's time in ns: in MPI calls, computing, ready while others ran; and when its last call ended. */
struct cs_rank_time {
    double busy, outside, delayed, end;
};

/* The run cut into bins of equal width. bin[i] is over all ranks; row r of in_mpi and `seen` begins at r *
 * CS_TIMELINE_BINS and is over per_row ranks. */
struct cs_timeline {
    int nranks, nbins, nrows, per_row; /* ranks of a row of the picture */
    double width;                      /* of a bin, ns */
    double (*bin)[CS_DOING_COUNT];     /* CS_TIMELINE_BINS of them: ns of all ranks */
    double *in_mpi, *seen;             /* row by CS_TIMELINE_BINS: ns in MPI, ns at all */
    struct cs_rank_time *rank;
};

/* NULL and a one-line reason. */
struct cs_timeline *cs_timeline_make(const struct cs_trace *t,
                                     void (*progress)(const char *what, int64_t done, int64_t total), char *errbuf,
                                     size_t errlen);
void cs_timeline_free(struct cs_timeline *l);

#endif
