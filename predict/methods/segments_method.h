/* SPDX-License-Identifier: BSD-3-Clause
 * The time of each segment from its counters: constant + sum of coefficient * count, none below zero, with relative
 * errors as small as they get. Of several forms that one is taken which predicts runs best that it has not seen. */
#ifndef CS_SEGMENTS_METHOD_H
#define CS_SEGMENTS_METHOD_H

#include "predict/methods/loop_prices.h"
#include "predict/methods/nearby.h"
#include "predict/methods/working_set.h"
#include "predict/model/observations.h"

/* In place of a counter: log2 of the number of ranks. */
enum { CS_TERM_RANKS = -1 };

/* One counter's part of a segment's time. */
struct cs_segment_term {
    int counter;        /* or CS_TERM_RANKS */
    int halves;         /* each count costs ns / ranks^(halves / 2): what it stands for is spread over the ranks */
    double ns;          /* each count */
    double least, most; /* counts each time, as they were measured */
};

/* The time of a segment. */
struct cs_segment_fit {
    int nrows;       /* that it was learnt from; 0: nobody has measured it */
    double constant; /* ns */
    int nterms;
    struct cs_segment_term *term;
    double spread;                /* standard deviation of the error, as a share of the time */
    double checked;               /* error on runs that were left out, as a share; below 0: there is only one run */
    struct cs_nearby near;        /* by what factor the formula is off, by size; nothing: it is taken as it is */
    bool by_iteration;            /* that size is the turns of one iteration of the outermost loop */
    double turns[CS_SETS];        /* most that a measured piece goes through again (working_set.h) */
    struct cs_segment_fit *cold;  /* of the first time, where that takes longer; then all else is of later times */
    struct cs_segment_fit *first; /* of rank 0, where that does something else than the others; else NULL */
    struct cs_variation once;     /* of pieces that a rank goes through once or twice: how ranks differ that the formula
                                     takes for alike; no pieces: `jitter` says it */
    double never_slow;            /* of such pieces: so many times were seen, none of them slow; 0: else */
    double jitter; /* standard deviation among the ranks of a run that the formula does not explain, of the logarithm of
                      a time */
};

/* A fit for each segment of the observations. */
struct cs_segments_model {
    const struct cs_observations *o; /* that it was learnt from; they must stay */
    int n, nruns;
    struct cs_segment_fit *fit;
    double **around;             /* by run and rank: turns of a piece, on average over all that the rank does */
    struct cs_loop_prices loops; /* for segments that nobody has measured */
    double off_by_fewer;         /* runs with most ranks, predicted by those with fewer, are off by that share */
    double doublings;            /* of ranks, from the most of these to the former; 0: all have as many */
    double off;                  /* nine of ten runs that are left out take at most so much more or less, as a share */
};

/* Learns from all runs with times; counters that are not counted in every run are left out. 0, or -1 with errno ENOMEM
 * or EDOM (numbers that are not finite). */
int cs_segments_fit(const struct cs_observations *o, struct cs_segments_model *m);

/* The segment's fit for that rank: rank 0 may have one of its own. */
const struct cs_segment_fit *cs_segment_fit_of(const struct cs_segments_model *m, int segment, int rank);

/* ns that the segment takes on the row's rank, each time, in a run of so many ranks. */
double cs_segment_time(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row, int nranks);

/* By what factor the row lies outside of what was measured, in the counter *counter that is farthest: 1 if inside. */
double cs_segment_outside(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row,
                          int *counter);

/* ns that the segment may take more each time than cs_segment_time() says, as what it goes through again is beyond a
 * cache in which all measured pieces had it; 0: it is not. *bytes, *measured: what it goes through, and the most of a
 * measured piece. */
double cs_segment_beyond(const struct cs_segments_model *m, int segment, const struct cs_observed_row *row,
                         double *bytes, double *measured);

/* What small runs never show may come all the same: may one of so many times be slow, which takes about twice as long,
 * as when another program has the processor for as long? False also where the fit has seen it, or knows how times vary.
 * Of n times that do not show it, the upper end of its chance, with 95 % confidence, is 1 - 0.05^(1/n), about 3 / n
 * (Clopper, Pearson 1934; Hanley, Lippman-Hand: If nothing goes wrong, is everything all right?, JAMA 249, 1983). True
 * where with that chance one comes in more than 5 % of such runs, which are those above a 90 % interval. */
bool cs_segment_may_be_slow(const struct cs_segment_fit *f, double times);

/* How far all computation of a run of so many ranks may be off because it has more ranks than all that were measured,
 * as a share: as far as those of fewer ranks are off those with most, and more by the root of the doublings, each of
 * which is off by itself. */
double cs_segments_off_by_ranks(const struct cs_segments_model *m, int nranks);

void cs_segments_free(struct cs_segments_model *m);

#endif
