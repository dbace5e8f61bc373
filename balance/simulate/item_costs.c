/* SPDX-License-Identifier: BSD-3-Clause
 * Costs of items by a law: item_costs.h. Random numbers are a hash of their number, so that they are the same
 * everywhere and in any order. */
#include "balance/simulate/item_costs.h"

#include <math.h>

#include "base/mix.h"

/* From 0 to 1, without both. */
static double uniform(uint64_t x)
{
    return ((double)(cs_mix(x) >> 11) + 0.5) / (double)(1ull << 53);
}

double cs_normal_number(uint64_t seed, uint64_t i)
{
    uint64_t x = cs_mix(seed + 1) + 2 * i; /* Box and Muller */
    return sqrt(-2 * log(uniform(x))) * cos(2 * acos(-1) * uniform(x + 1));
}

static double cost(const struct cs_item_costs *c, int64_t items, uint64_t seed, int64_t i)
{
    switch (c->law) {
    case CS_COST_CONSTANT: return c->a;
    case CS_COST_LINEAR: return items > 1 ? c->a + (c->b - c->a) * (double)i / (double)(items - 1) : c->a;
    case CS_COST_GAUSSIAN: return fmax(0, c->a + c->b * cs_normal_number(seed, (uint64_t)i));
    case CS_COST_HEAVY: return i == items / 2 ? c->b : c->a;
    }
    return 0;
}

void cs_item_costs_fill(const struct cs_item_costs *c, int64_t items, uint64_t seed, double *before)
{
    before[0] = 0;
    for (int64_t i = 0; i < items; i++)
        before[i + 1] = before[i] + cost(c, items, seed, i);
}
