/* SPDX-License-Identifier: BSD-3-Clause
 * Which of several small runs tell most about a large one, before any of them is measured: those after which the error
 * that is to be expected of its computation is least (Bayesian experimental design: Chaloner, Verdinelli, Statistical
 * Science 10(3), 1995). */
#ifndef CS_RUN_CHOICE_H
#define CS_RUN_CHOICE_H

#include "predict/model/observations.h"

/* The runs that were chosen, the one that tells most first. */
struct cs_run_choice {
    int n;
    int *run;
    double *error; /* of the target's computation, as a share, after this run and those before it */
    double *turns; /* of each run of the observations, all ranks together: what it costs */
    double *share; /* of each segment, of the target's turns */
};

/* Chooses among all runs but the last one, which is the target; at least three, if there are, and at most `most`.
 * Times are not looked at. 0, or -1: no memory. */
int cs_choose_runs(const struct cs_observations *o, int most, struct cs_run_choice *c);

/* By what factor the target's mean rank lies outside of what the ranks of the chosen runs do in the segment, in the
 * counter *counter that is farthest (-1: none): 1 if inside, 0 if no chosen run goes through it. */
double cs_choice_outside(const struct cs_observations *o, const struct cs_run_choice *c, int segment, int *counter);

/* Does the target go through more in the segment, again and again, than any chosen run, so that a cache holds it no
 * longer that held what those go through? *bytes: what it goes through, *measured: the most of the runs. */
bool cs_choice_beyond(const struct cs_observations *o, const struct cs_run_choice *c, int segment, double *bytes,
                      double *measured);

void cs_run_choice_free(struct cs_run_choice *c);

#endif
