/* SPDX-License-Identifier: BSD-3-Clause
 * What the items of a simulated loop cost: a law and its numbers. */
#ifndef CS_ITEM_COSTS_H
#define CS_ITEM_COSTS_H

#include <stdint.h>

/* constant: a each. linear: from a of the first to b of the last. gaussian: mean a, standard deviation b, not below 0.
 * heavy: a each, but for the middle one of b. */
enum cs_cost_law { CS_COST_CONSTANT, CS_COST_LINEAR, CS_COST_GAUSSIAN, CS_COST_HEAVY };

/* A law, with seconds. */
struct cs_item_costs {
    enum cs_cost_law law;
    double a, b;
};

/* Fills in before[0] to before[items], seconds of all items before; random numbers by the seed. */
void cs_item_costs_fill(const struct cs_item_costs *c, int64_t items, uint64_t seed, double *before);
/* The i-th random number of a seed, normally distributed with mean 0 and deviation 1. */
double cs_normal_number(uint64_t seed, uint64_t i);

#endif
