/* SPDX-License-Identifier: BSD-3-Clause
 * What one trace would take on a network: played without running anything, with the computation that was recorded in
 * it, or that a model of small runs knows. */
#ifndef CS_PREDICTION_H
#define CS_PREDICTION_H

#include "cli/show/whole_text.h"
#include "cli/predict/model_prices.h"
#include "cli/predict/simgrid_play.h"
#include "predict/network/network.h"

/* A part of the time of the mean rank: a segment of computation, or the MPI calls of one place. */
struct cs_prediction_part {
    char *name; /* "heat.c:40 -> heat.c:52", "MPI at heat.c:74"; that of the same part is the same in each prediction */
    bool in_calls;
    double seconds;
    double outside; /* by what factor it lies outside of what was measured; 1: inside */
    char *counter;  /* in which loop it does, "heat.c:57"; NULL: inside */
};

/* What one rank does, s. */
struct cs_prediction_rank {
    double computed, in_calls;
};

/* How a prediction is to be made. `model` is a file of commslice fit, NULL: computation is what was recorded. */
struct cs_prediction_way {
    const char *model;
    const struct cs_network *network;
    bool own_method, all;             /* own_method: that of the model; all: all methods, segments first */
    enum cs_method method;            /* else */
    const struct cs_simgrid *simgrid; /* that plays it in place of the network; NULL: the network does */
    const char *goal;                 /* a file for the schedule of what is played, which may be written; NULL: none */
    int of_rank;                      /* the segments are those of this rank; -1: of all ranks */
    double size;                      /* of the problem, for the method analytic; 0: not given */
};

/* A prediction. Times are seconds. */
struct cs_prediction {
    char *trace; /* its name */
    int ranks;
    double size;          /* of the problem; 0: not given */
    bool by_model, timed; /* timed: the trace has times */
    struct cs_network_times times;
    double least, most; /* ends of the 90 % interval; without a model both the time */
    double computed_mean, computed_most, in_calls_mean;
    int computed_most_rank;
    struct cs_prediction_rank *rank; /* of each, the last play's; NULL where nothing was played */
    double uncounted;                /* share of the small runs' turns that the slice does not count */
    char *uncounted_at;              /* where most of these are, "cg.f:851"; NULL: it counts all */
    int64_t unpriced;                /* ways between calls that the trace's segments do not have */
    enum cs_method method;
    bool all;                                  /* the answers of the other methods are there */
    struct cs_whole_answer answer[CS_METHODS]; /* of methods that know runs as a whole */
    struct cs_prices prices;                   /* with a model, until cs_prediction_shed */
    struct cs_observations call;               /* places of MPI calls, until then */
    int *call_at;                              /* of each of these places: the MPI call there */
    int nparts;
    struct cs_prediction_part *part; /* the longest first */
};

/* Predicts a trace; with a method that knows runs as a whole without playing it. `name` is what messages and answers
 * call the trace. 0, or -1 after a message. */
int cs_prediction_make(struct cs_prediction *p, const char *trace, const char *name, const struct cs_prediction_way *w);
/* Frees what only the table of segments needs, of which there is much. */
void cs_prediction_shed(struct cs_prediction *p);
/* The part of that name, or NULL. */
const struct cs_prediction_part *cs_prediction_part(const struct cs_prediction *p, const char *name);
void cs_prediction_free(struct cs_prediction *p);

#endif
