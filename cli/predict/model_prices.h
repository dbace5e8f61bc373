/* SPDX-License-Identifier: BSD-3-Clause
 * What the segments of a trace cost by a model: for each rank, and for each way from one call site to the next. */
#ifndef CS_MODEL_PRICES_H
#define CS_MODEL_PRICES_H

#include "cli/show/segment_table.h"
#include "predict/model/observations.h"

/* A way of a rank, by its own numbers of sites, and its time. */
struct cs_price {
    int from, to, segment;
    double ns;
    struct cs_variation_place at; /* in its times */
};

/* The prices of one trace. */
struct cs_prices {
    struct cs_observations o; /* the model's, and the trace's as its last run */
    struct cs_segments_model m;
    int nranks, of_rank;          /* of_rank: whose segments the table has; -1: those of all */
    int *n;                       /* prices of each rank */
    struct cs_price **price;      /* of each rank, ascending by from and to */
    struct cs_segment_line *line; /* of each segment */
    struct cs_variation *varies;  /* of each segment; without pieces: it does not */
    double unmeasured;            /* share of the time in segments that nobody has measured */
    double unknown_turns;         /* share of these segments' turns in loops that nobody has measured either */
    double uncounted;             /* share of the small runs' turns in loops that the slice does not count */
    int uncounted_most;           /* of these the counter with most turns; -1: the slice counts all */
    double spread;                /* half the 90 % interval of computation, as a share of it */
    double slow;                  /* share of it in pieces of which one may be slow as none of the small runs' was */
    double beyond;                /* share of it that it may take more, for caches that no small run left */
};

/* Reads the model, and prices the trace with it. The table of segments is that of all ranks, or, with of_rank not below
 * 0, of that rank. 0, or -1 after a message. */
int cs_prices_make(struct cs_prices *p, const char *model, const struct cs_trace *t, const char *trace, int of_rank);
/* All ranks begin again, with the same chance as before. */
void cs_prices_begin(struct cs_prices *p);
/* ns of computation on the way this time; -1: the trace's segments do not have it. */
double cs_price_next(struct cs_prices *p, int rank, int from, int to);
/* Says what goes through more memory again and again than any measured piece, and how much longer all may take for
 * that. False, and nothing is said, if it is less than a hundredth. */
bool cs_prices_say_beyond(const struct cs_prices *p, char *text, size_t len);
/* By what share computation may be more: half the interval, slow times that small runs do not show, caches. */
double cs_prices_more(const struct cs_prices *p);
/* Says which piece is most of those that may be slow. False, and nothing is said, if they are less than a hundredth. */
bool cs_prices_say_slow(const struct cs_prices *p, char *text, size_t len);
void cs_prices_free(struct cs_prices *p);

#endif
