/* SPDX-License-Identifier: BSD-3-Clause
 * A loop that is handed out to workers, by discrete events: how long it takes, with how many messages. */
#ifndef CS_SIMULATE_H
#define CS_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "balance/techniques/technique.h"

/* How chunks get to workers: from worker 0, which works, too; from a leader that only leads; by counters, as the ways
 * one-sided and shared-memory of the library. */
enum cs_simulated_way { CS_FROM_WORKER, CS_FROM_LEADER, CS_FROM_COUNTERS };

/* What is simulated. before[i] is the seconds of all items before item i on a worker of speed 1, for i up to items. */
struct cs_simulation {
    int64_t items, chunk; /* chunk: 0, or items of css and vrp-ss */
    const double *before;
    int workers;
    const double *speed; /* as the technique is told */
    const double *real;  /* as they are */
    enum cs_simulated_way way;
    double latency; /* seconds of a message */
    double service; /* seconds that a request takes where it is answered */
};

/* What came out. The time is that of the worker that ends last. */
struct cs_simulated {
    double seconds;
    double mean; /* seconds until a worker ends, mean of all */
    int64_t chunks, messages;
};

/* Simulates one loop; vrp-dynamic has done one before. speeds above 0. 0, or -1 with errno when memory is out. */
int cs_simulate(const struct cs_simulation *s, const struct cs_technique *t, struct cs_simulated *r);

#endif
