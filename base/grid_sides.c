/* SPDX-License-Identifier: BSD-3-Clause
 * A search through all ascending factors; grid_sides.h. (J. L. Traeff, F. D. Luebbe, "Specification Guideline
 * Violations by MPI_Dims_create", 2015.) */
#include "base/grid_sides.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* The search for the best n factors; only the first n entries of the arrays are in use. */
struct search {
    int n;                                       /* how many factors */
    int tried[CS_DIMS_MOST], best[CS_DIMS_MOST]; /* ascending */
    int spread;                                  /* largest minus smallest factor of `best` */
};

/* Tries all ascending factors tried[k], tried[k + 1] ... whose product is `left`. Of results with equal spread the last
 * one found stays. */
static void search(struct search *s, int k, int left)
{
    int least = k > 0 ? s->tried[k - 1] : 1;
    assert(k < s->n && s->n <= CS_DIMS_MOST && left > 0);

    if (k == s->n - 1) {
        s->tried[k] = left;
        if (left >= least && left - s->tried[0] <= s->spread) {
            s->spread = left - s->tried[0];
            memcpy(s->best, s->tried, sizeof s->best);
        }
        return;
    }
    for (int f = least; (long)f * f <= left && (k == 0 || f - s->tried[0] <= s->spread); f++) {
        if (left % f != 0)
            continue;
        s->tried[k] = f;
        search(s, k + 1, left / f);
    }
}

void cs_dims(int n, int d, int *dims)
{
    struct search s = {.n = d, .spread = INT_MAX};
    assert(n > 0 && d > 0 && d <= CS_DIMS_MOST);
    search(&s, 0, n);
    for (int i = 0; i < d; i++)
        dims[i] = s.best[d - 1 - i];
}
