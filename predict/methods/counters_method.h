/* SPDX-License-Identifier: BSD-3-Clause
 * Prediction of a whole run's time from counters: standardised features, ridge, and elimination of the features with
 * the smallest coefficients until a few are left. */
#ifndef CS_COUNTERS_METHOD_H
#define CS_COUNTERS_METHOD_H

#include "predict/regression/matrix.h"

/* What the ranks make of one counter. The variance is that of the ranks, divided by their number. */
struct cs_combined {
    double mean, least, most, variance;
};

struct cs_combined cs_combine_ranks(const double *values, int n_ranks);

/* Time = constant + sum of coefficient[k] * counter[feature[k]], k in 0..n_features. */
struct cs_counters_model {
    int n_features;
    int *feature;
    double *coefficient;
    double constant;
};

/* Fits times y to the rows of x. Each fit keeps the larger half of the features, but at least `target`, until that many
 * are left; features that do not vary go first. `weight` is ridge's, on standardised features. Returns 0, or -1 with
 * errno as cs_ridge. */
int cs_counters_fit(const struct cs_matrix *x, const double *y, int target, double weight,
                    struct cs_counters_model *model);

/* The time of a run with these counters, one for each column of x. */
double cs_counters_predict(const struct cs_counters_model *model, const double *counters);

void cs_counters_free(struct cs_counters_model *model);

#endif
