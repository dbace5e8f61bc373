/* SPDX-License-Identifier: BSD-3-Clause
 * Speeds for a loop under way: replan.h. What counts is a worker's rate over its speed against the median of all, so
 * that a loop whose items become dearer for everybody asks for no plan. */
#include "balance/techniques/replan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* A worker is off by more than that; a plan has to save that share of the time that is left. */
static const double OFF = 0.2, WORTH = 0.05;

/* Parts of a block. */
enum { MOST_PARTS = 64 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of rate over speed of those whose rate is known; 0: of none. */
static double median(int n, const struct cs_worker_seen *w, double *scratch)
{
    int known = 0;
    for (int i = 0; i < n; i++)
        if (w[i].rate > 0)
            scratch[known++] = w[i].rate / w[i].speed;
    qsort(scratch, (size_t)known, sizeof *scratch, ascending);
    return known ? scratch[(known - 1) / 2 + (known % 2 ? 0 : 1)] : 0;
}

/* Seconds until the last worker is done with what is its own. */
static double last_end(int n, const struct cs_worker_seen *w)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (w[i].left > 0)
            most = fmax(most, w[i].left / w[i].rate);
    return most;
}

/* The same if all that have not gone end together. */
static double end_together(int n, const struct cs_worker_seen *w, double pool)
{
    double items = pool, rate = 0;
    for (int i = 0; i < n; i++) {
        items += w[i].left;
        rate += w[i].gone ? 0 : w[i].rate;
    }
    return rate > 0 ? items / rate : 0;
}

static bool all_known(int n, const struct cs_worker_seen *w)
{
    for (int i = 0; i < n; i++)
        if (!w[i].gone && !(w[i].rate > 0))
            return false;
    return true;
}

bool cs_replan(int n, const struct cs_worker_seen *w, double pool, bool moves, double *speed, double *scratch,
               struct cs_replanned *r)
{
    double middle = median(n, w, scratch), most = 0;
    *r = (struct cs_replanned){.worker = -1, .off = 1};
    for (int i = 0; i < n; i++) {
        assert(w[i].speed > 0);
        double off = w[i].rate > 0 ? w[i].rate / w[i].speed / middle : 1;
        speed[i] = w[i].rate > 0 ? w[i].rate : middle > 0 ? w[i].speed * middle : w[i].speed;
        if (!w[i].gone && fabs(log(off)) > most) {
            most = fabs(log(off));
            r->worker = i;
            r->off = off;
        }
    }
    if (!all_known(n, w))
        return false;
    r->after = end_together(n, w, pool);
    r->before = moves ? r->after : fmax(r->after, last_end(n, w));
    if (fabs(r->off - 1) <= OFF || r->after <= 0)
        return false;
    return pool > 0 || moves || r->after < (1 - WORTH) * r->before;
}

double cs_rate_by_now(double rate, double at_work, double seconds)
{
    return rate > 0 && at_work > 0 && seconds > 0 ? fmin(rate, at_work / seconds) : rate;
}

int64_t cs_block_parts(int64_t items)
{
    return items < MOST_PARTS ? items : MOST_PARTS;
}

int64_t cs_block_part_begin(int64_t items, int64_t part)
{
    int64_t parts = cs_block_parts(items), more = items % parts;
    return part * (items / parts) + (part < more ? part : more);
}

int cs_part_from(int n, const struct cs_parts_left *left, const double *speed, int worker)
{
    int found = -1;
    double most = 0;
    for (int i = 0; i < n; i++) {
        double part = (double)left[i].items / (double)(left[i].parts ? cs_block_parts(left[i].items) : 1);
        double seconds = part * (double)left[i].parts / speed[i];
        if (i == worker || seconds <= most || part / speed[worker] > seconds)
            continue;
        most = seconds;
        found = i;
    }
    return found;
}
