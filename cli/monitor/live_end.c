/* SPDX-License-Identifier: BSD-3-Clause
 * When the newest loop of a look will end, by what is left and the ranks' rates. A rank that is at its first chunk has
 * no rate yet: it is taken to do what the others do, by their speeds. */
#include <math.h>

#include "cli/monitor/live_view.h"

/* Rates over speeds of those ranks that have rates: of all of them together, the least and the largest. */
struct pace {
    double mean, least, most;
};

/* Items a second of a rank, likely, at least and at most; left: items of its own that are not done by now. */
struct going {
    double rate, slow, fast, left;
    bool by_others;
};

static struct pace pace_of(const struct cs_live_view *v)
{
    struct pace p = {0, INFINITY, 0};
    double rates = 0, speeds = 0;
    for (int i = 0; i < v->nranks; i++) {
        const struct cs_rank_view *r = &v->rank[i];
        if (r->loop.loop != v->loop || !(r->rate > 0) || !(r->loop.speed > 0))
            continue;
        rates += r->rate;
        speeds += r->loop.speed;
        p.least = fmin(p.least, r->slow / r->loop.speed);
        p.most = fmax(p.most, r->fast / r->loop.speed);
    }
    p.mean = speeds > 0 ? rates / speeds : 0;
    return p;
}

static struct going going_of(const struct cs_live_view *v, const struct pace *p, int i)
{
    const struct cs_rank_view *r = &v->rank[i];
    double speed = r->loop.speed, at_work = (double)r->loop.at_work, since = cs_live_seconds(v, r->loop.since);
    if (r->rate > 0 || !cs_live_at_loop(v, i) || !(speed > 0) || !(p->mean > 0))
        return (struct going){r->rate, r->slow, r->fast, r->left, false};
    struct going g = {.by_others = true};
    g.rate = cs_rate_by_now(speed * p->mean, at_work, since);
    g.slow = cs_rate_by_now(speed * p->least, at_work, since);
    g.fast = cs_rate_by_now(speed * p->most, at_work, since);
    g.left = fmax(0, r->left - fmin(at_work, g.rate * since));
    return g;
}

/* Blocks end when the last one does, what is in the pool is done by all, and so are blocks whose parts move. */
void cs_live_find_end(struct cs_live_view *v)
{
    struct pace p = pace_of(v);
    double seconds[3] = {0}, sum[3] = {0}, left = v->pool;
    v->end = (struct cs_live_end){0};
    for (int i = 0; i < v->nranks; i++) {
        if (v->rank[i].loop.loop != v->loop)
            continue;
        struct going g = going_of(v, &p, i);
        const double rate[3] = {g.rate, g.fast, g.slow};
        if (g.left > 0 && !(g.rate > 0))
            return;
        for (int k = 0; k < 3; k++) {
            seconds[k] = g.left > 0 ? fmax(seconds[k], g.left / rate[k]) : seconds[k];
            sum[k] += cs_live_at_loop(v, i) ? rate[k] : 0;
        }
        left += g.left;
        v->end.by_others += g.by_others;
    }
    if (v->loop == 0 || v->done >= v->items || (v->pool > 0 && !(sum[0] > 0)))
        return;
    for (int k = 0; k < 3; k++) {
        double together = left > 0 ? left / sum[k] : 0;
        seconds[k] = v->moves ? together : v->pool > 0 ? fmax(seconds[k], together) : seconds[k];
    }
    v->end = (struct cs_live_end){true, seconds[0], seconds[1], seconds[2], v->end.by_others};
}
