/* SPDX-License-Identifier: BSD-3-Clause
 * Places by division, and a walk around one of them; grid_places.h. */
#include "base/grid_places.h"

#include <assert.h>
#include <stdbool.h>

#include "base/grid_sides.h"

struct cs_rank_place cs_rank_place(const struct cs_rank_grid *g, int rank, int size)
{
    struct cs_rank_place p = {.n = g->nsides, .rank = rank};
    int dims[CS_SIDES_MOST], left = rank;
    assert(g->nsides > 0 && g->nsides <= CS_SIDES_MOST && size > 0);
    cs_dims(size, g->nsides, dims);
    for (int q = 0; q < g->nsides; q++) {
        p.side[q] = dims[g->order[q]];
        p.at[q] = left % p.side[q];
        left /= p.side[q];
    }
    return p;
}

int cs_ranks_around(const struct cs_rank_place *p)
{
    int n = 1;
    for (int q = 0; q < p->n; q++)
        n *= 1 + (p->at[q] > 0) + (p->at[q] < p->side[q] - 1);
    return n - 1;
}

/* The rank in direction number `way`, whose digits to base 3, of the last side first, are 0 for a place before, 1 for
 * the same one and 2 for one behind. False if there is none, or it is the rank itself. */
static bool rank_towards(const struct cs_rank_place *p, int way, int *rank, int *toward)
{
    int step = 1;
    *rank = p->rank;
    *toward = 0;
    for (int q = 0; q < p->n; q++, way /= 3) {
        int by = way % 3 - 1;
        if (p->at[q] + by < 0 || p->at[q] + by >= p->side[q])
            return false;
        *rank += by * step;
        *toward += by ? 1 << q : 0;
        step *= p->side[q];
    }
    return *toward > 0;
}

int cs_rank_near(const struct cs_rank_place *p, int64_t k, int *toward)
{
    int ways = p->n == 3 ? 27 : p->n == 2 ? 9 : 3, around = cs_ranks_around(p), rank;
    int64_t left = around && k > 0 ? k % around : 0;
    for (int way = 0; way < ways; way++)
        if (rank_towards(p, way, &rank, toward) && left-- == 0)
            return rank;
    *toward = 0;
    return p->rank;
}
