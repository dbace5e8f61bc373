/* SPDX-License-Identifier: BSD-3-Clause
 * Prediction by playing traces on a network, without running anything; or by running a slice at several sizes first. */
#ifndef CS_PREDICT_PLAY_H
#define CS_PREDICT_PLAY_H

#include <stdbool.h>

/* What is asked: `network` as cs_network_parse reads it, NULL: a usual one; `model` is a file of commslice fit that
 * knows the computation, NULL: it is that of the trace. */
struct cs_predict_play {
    const char *network, *model;
    const char *method; /* of the model: a name, "all", or NULL: the model's own */
    double size;        /* of the problem; 0: not given */
    const char *sizes;  /* "512,1024": of each trace, or with which the slice is run; NULL: not given */
    long of_rank;       /* the segments of this rank only; -1: of all */
    const char *ranks;  /* "64,256": numbers of ranks with which the slice of `word` is run; NULL: `word` are traces */
    char **word;
    int nwords;
    const char *platform, *hosts; /* for SimGrid, which then plays in place of the network; NULL: none */
    const char *goal;             /* a GOAL schedule to be written, NULL: none */
    const char *plot;             /* a picture to be drawn, NULL: none */
    bool json, csv, segments, slurm, weak, force;
};

/* Predicts, and prints what is asked. Returns an exit code. */
int cs_predict_play(const struct cs_predict_play *p);

#endif
