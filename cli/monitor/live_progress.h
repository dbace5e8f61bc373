/* SPDX-License-Identifier: BSD-3-Clause
 * How far a run is through what a trace says that it will do: by the times of an earlier run, or by those that a model
 * gives the segments of a slice's trace. */
#ifndef CS_LIVE_PROGRESS_H
#define CS_LIVE_PROGRESS_H

#include "cli/monitor/live_view.h"

/* A rank's way: cost[i] is the share of its time that is over with the first i * step events of the trace. */
struct cs_rank_way {
    int64_t events, step;
    float *cost;
    int *site;      /* where each of these events is; rank's own number */
    double seconds; /* all of it: of computation by a model, else of everything */
};

/* The ways of all ranks, and the last look. share: of the run that is over, of the mean rank; pace: seconds of the
 * model or the earlier run that pass in a second; end: seconds from now. */
struct cs_live_progress {
    struct cs_trace *trace;
    struct cs_locations *places;
    int nranks;
    bool by_model;
    double seconds, least, most; /* of the whole run */
    struct cs_rank_way *way;
    double share, pace;
    struct cs_live_end end;
    bool beyond; /* a rank has done more than the trace says */
};

/* Reads the trace; model NULL: its own times. 0, or an exit code after a message. */
int cs_live_progress_open(struct cs_live_progress *p, const char *trace, const char *model);
/* Is it of a run like this one? 0, or an exit code after a message. */
int cs_live_progress_fits(const struct cs_live_progress *p, const struct cs_live_run *l);
void cs_live_progress_look(struct cs_live_progress *p, const struct cs_live_run *l, const struct cs_live_view *v);
/* Share of a rank's time that is over after so many events, from 0 to 1. */
double cs_live_progress_of(const struct cs_live_progress *p, int rank, int64_t events);
/* "heat.c:40 -> heat.c:52": the segment that the rank is in. Returns buf; "" if it is not known. */
const char *cs_live_progress_segment(const struct cs_live_progress *p, int rank, int64_t events, char buf[256]);
void cs_live_progress_free(struct cs_live_progress *p);

#endif
