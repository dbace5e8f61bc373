/* SPDX-License-Identifier: BSD-3-Clause
 * What a user says of a loop that is to be simulated: items, what they cost, workers and their speeds, messages. */
#ifndef CS_LOOP_SPEC_H
#define CS_LOOP_SPEC_H

#include "balance/simulate/item_costs.h"
#include "balance/simulate/simulate.h"

/* The words of the user, and what they come to. speed, real and before belong to it. */
struct cs_loop_spec {
    const char *costs, *workers, *way; /* as given */
    const char *latency_text, *service_text, *drift_text;
    long items, chunk, seed; /* items: 0 if not given */
    double drift;
    double *before, *speed, *real;
    struct cs_simulation simulation;
};

/* Reads the words. 0, or CS_EXIT_ERROR after a message. */
int cs_loop_spec_read(struct cs_loop_spec *s);
void cs_loop_spec_free(struct cs_loop_spec *s);

#endif
