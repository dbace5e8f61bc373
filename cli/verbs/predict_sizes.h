/* SPDX-License-Identifier: BSD-3-Clause
 * Runs a slice with several numbers of ranks and sizes, and predicts each of these runs. */
#ifndef CS_PREDICT_SIZES_H
#define CS_PREDICT_SIZES_H

#include "cli/predict/prediction_curve.h"
#include "cli/verbs/run_slice.h"

/* Runs the slice, which `word` begins with, with these numbers of ranks and each of these sizes, if there are some, {n}
 * and {size} in its arguments being the numbers, and adds a prediction of each to the curve, which has room. Returns an
 * exit code. */
int cs_predict_sizes(char **word, const struct cs_numbers *ranks, const struct cs_numbers *sizes,
                     const struct cs_prediction_way *w, struct cs_curve *c);

#endif
