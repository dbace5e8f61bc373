/* SPDX-License-Identifier: BSD-3-Clause
 * Methods that know a run only as a whole: how long all of it took, and what its ranks counted together; or its size
 * and its number of ranks. */
#ifndef CS_WHOLE_RUN_H
#define CS_WHOLE_RUN_H

#include "predict/methods/analytic_method.h"
#include "predict/methods/counters_method.h"
#include "predict/model/observations.h"

/* What a feature of a run is of its ranks' counts. */
enum cs_feature_kind { CS_FEATURE_MEAN, CS_FEATURE_MOST, CS_FEATURE_LEAST, CS_FEATURE_VARIANCE, CS_FEATURE_KINDS };

/* A feature: of a counter, or of the MPI calls of a place. */
struct cs_feature {
    enum cs_feature_kind kind;
    int counter, site; /* the other one is -1 */
};

/* The method `counters`, fitted. */
struct cs_whole_counters {
    int nfeatures; /* of which fit.feature names some */
    struct cs_feature *feature;
    struct cs_counters_model fit;
    double error; /* on runs that are left out in turn, root mean square, as a share; below 0: there are too few */
};

/* Fits all runs with times. 0, or -1 with errno ENOMEM or EDOM; the second also says that no run has a whole time. */
int cs_whole_counters_fit(const struct cs_observations *o, struct cs_whole_counters *w);
/* Seconds of a run of these observations. */
double cs_whole_counters_time(const struct cs_observations *o, const struct cs_whole_counters *w, int run);
void cs_whole_counters_free(struct cs_whole_counters *w);

/* The method `analytic`, fitted. */
struct cs_whole_analytic {
    struct cs_analytic_model fit;
    bool by_turns; /* no run has a size: it is all turns of all ranks */
    double error;  /* as above */
};

int cs_whole_analytic_fit(const struct cs_observations *o, struct cs_whole_analytic *w);
double cs_whole_analytic_time(const struct cs_observations *o, const struct cs_whole_analytic *w, int run);

#endif
