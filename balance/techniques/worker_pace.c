/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of workers, as AWF and AF want it: technique.h. A worker's part of the sums is kept with it, so
 * that each change is one addition, which processes can make without a leader. */
#include "balance/techniques/technique.h"

#include <assert.h>
#include <math.h>

/* Seconds of an item that took less than the clock shows. */
static const double LEAST = 1e-12;

void cs_pace_sums_add(struct cs_pace_sums *sums, const struct cs_pace_sums *change)
{
    sums->rate += change->rate;
    sums->given += change->given;
    sums->measured += change->measured;
    sums->spread += change->spread;
    sums->pace += change->pace;
}

static void note_mean(struct cs_worker_pace *w, double items, double each)
{
    double off = each - w->mean;
    w->items += items;
    w->mean += off * items / w->items;
    w->m2 += items * off * (each - w->mean);
}

struct cs_pace_sums cs_pace_note(struct cs_worker_pace *w, double given, int64_t items, double seconds)
{
    assert(items > 0 && given > 0);
    double n = (double)items, each = fmax(seconds / n, LEAST);
    struct cs_pace_sums was = w->share, is = {.given = given};
    w->chunks++;
    w->weighted_items += (double)w->chunks * n;
    w->weighted_seconds += (double)w->chunks * n * each;
    note_mean(w, n, each);
    is.rate = w->weighted_items / w->weighted_seconds;
    if (w->chunks > 1) {
        is.spread = w->m2 / (double)(w->chunks - 1) / w->mean;
        is.pace = 1 / w->mean;
        is.measured = 1;
    }
    w->share = is;
    return (struct cs_pace_sums){is.rate - was.rate, is.given - was.given, is.measured - was.measured,
                                 is.spread - was.spread, is.pace - was.pace};
}
