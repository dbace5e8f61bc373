/* SPDX-License-Identifier: BSD-3-Clause
 * Working sets of pieces; working_set.h. */
#include "predict/methods/working_set.h"

#include <math.h>

static const double BYTES = 8;
/* ns of a turn beyond the first cache, beyond all but the last one, and beyond all: 16 bytes at 64 and at 20 GB/s, and
 * 64 bytes, a line, at 10 GB/s, as the turns may not go through their memory in order. */
static const double NEXT_NS = 0.25, LAST_NS = 0.8, MEMORY_NS = 6.4;

double cs_turns_counted(const struct cs_observations *o, const struct cs_observed_row *row)
{
    double sum = 1;
    for (int i = 0; i < row->ncounts; i++)
        sum += o->counter[row->count[i].counter].counted ? row->count[i].mean : 0;
    return sum;
}

double cs_turns_of_iteration(const struct cs_observations *o, const struct cs_observed_row *row)
{
    double least = INFINITY;
    for (int i = 0; i < row->ncounts; i++)
        if (o->counter[row->count[i].counter].counted && row->count[i].mean > 1)
            least = fmin(least, row->count[i].mean);
    return isinf(least) ? 1 : cs_turns_counted(o, row) / least;
}

double cs_bytes_of_turns(double turns)
{
    return BYTES * turns;
}

int cs_cache_level(const struct cs_observations *o, double bytes)
{
    int level = 0;
    while (level < o->ncaches && bytes > o->cache[level])
        level++;
    return level;
}

static double level_ns(const struct cs_observations *o, int level)
{
    if (level == 0)
        return 0;
    return level == o->ncaches ? MEMORY_NS : level == o->ncaches - 1 && level > 1 ? LAST_NS : NEXT_NS;
}

double cs_cache_step_ns(const struct cs_observations *o, int from, int to)
{
    return fmax(level_ns(o, to) - level_ns(o, from), 0);
}
