/* SPDX-License-Identifier: BSD-3-Clause
 * What a simulated loop takes by each technique, and which of them to take. */
#ifndef CS_OUTCOMES_H
#define CS_OUTCOMES_H

#include <stdbool.h>

#include "balance/simulate/simulate.h"

/* Techniques there may be. */
enum { CS_MOST_OUTCOMES = 32 };

/* One technique. */
struct cs_outcome {
    const struct cs_technique *technique;
    struct cs_simulated is;
};

/* All that were simulated, in the order of the table. */
struct cs_outcomes {
    const struct cs_simulation *simulation;
    struct cs_outcome of[CS_MOST_OUTCOMES];
    int n;
    double ideal; /* seconds: work over summed real speed, or the longest item where that is more */
};

/* Simulates the techniques, as many at a time as there are processors. 0, or -1 when memory is out. */
int cs_outcomes_simulate(struct cs_outcomes *o, const struct cs_simulation *s);

/* The technique to take: of those within 1 % of the fastest the one with fewest messages. vrp-dynamic, which is for
 * loops that come again, only if it is alone. */
const struct cs_outcome *cs_outcome_best(const struct cs_outcomes *o);
/* The same of those that need no speeds of the workers; NULL: there is none. */
const struct cs_outcome *cs_outcome_best_unknown(const struct cs_outcomes *o);
/* The last worker's end over the mean end. */
double cs_outcome_imbalance(const struct cs_outcome *o);

void cs_outcomes_print(const struct cs_outcomes *o);
void cs_outcomes_json(const struct cs_outcomes *o);
/* May the picture become this file? 0, or CS_EXIT_ERROR after a message. */
int cs_outcomes_plot_check(const char *file, bool force);
/* Draws times and messages. Returns an exit code. */
int cs_outcomes_plot(const struct cs_outcomes *o, const char *file);

#endif
