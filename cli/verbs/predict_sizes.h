/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a slice with several numbers of ranks, and predicts each of these runs. */
#ifndef CS_PREDICT_SIZES_H
#define CS_PREDICT_SIZES_H

#include "cli/verbs/prediction_curve.h"

/* So many numbers at most. */
enum { CS_SIZES_MOST = 64 };

/* Numbers of ranks. */
struct cs_sizes {
    int n;
    long ranks[CS_SIZES_MOST];
};

/* Reads "64,256,1024". 0, or -1 after a message. */
int cs_sizes_parse(const char *text, struct cs_sizes *s);
/* Runs the slice, which `word` begins with, with these numbers of ranks, {n} in its arguments being the number, and
 * adds a prediction of each to the curve, which has room. Traces are removed. Returns an exit code. */
int cs_predict_sizes(char **word, const struct cs_sizes *s, const char *model, const struct cs_network *n,
                     struct cs_curve *c);

#endif
