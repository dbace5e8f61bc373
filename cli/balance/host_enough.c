/* SPDX-License-Identifier: BSD-3-Clause
 * How many processes are enough: cs_hosts_enough of host_shares.h. Machines of one list are groups of alike processes,
 * so that a number of processes costs one bisection over the groups. */
#include <math.h>
#include <stdlib.h>

#include "cli/balance/host_shares.h"

/* Processes of a machine, and how many of them take part. */
struct group {
    const struct cs_host *host;
    bool lead;   /* rank 0 alone, on the first machine */
    double each; /* seconds for what it would have of equal blocks */
};

/* More numbers of processes are not looked at one by one. */
enum { MOST_STEPS = 100000 };

/* Rank 0 is always there. */
static int fastest_first(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->lead || y->lead)
        return y->lead - x->lead;
    return (x->each > y->each) - (x->each < y->each);
}

/* The curve of a machine; a speed is one point. */
static struct cs_time_curve curve_of(const struct cs_host_plan *p, const struct group *g, double *point)
{
    const struct cs_host *h = g->host;
    if (p->curves && !p->fixed)
        return (struct cs_time_curve){h->npoints, h->size, g->lead && h->lead ? h->lead : h->seconds};
    point[0] = fmax((double)p->items / p->processes, 1);
    point[1] = g->each;
    return (struct cs_time_curve){1, &point[0], &point[1]};
}

/* Gives each group its part of so many processes; rank 0, the first group, is one of its machine's. */
static void count(const struct cs_host_plan *p, const struct group *g, long processes, double *part)
{
    long rounds = (processes - 1) / p->processes, left = (processes - 1) % p->processes;
    part[0] = 1;
    for (int i = 1; i <= p->nhosts; i++) {
        long there = g[i].host->processes, take = left < there ? left : there;
        part[i] = (double)(rounds * there + take);
        left -= take;
    }
}

static void look(const struct cs_host_plan *p, const struct group *g, const struct cs_time_curve *curve, double *part,
                 struct cs_enough *e)
{
    long step = e->most / MOST_STEPS + 1;
    for (long n = 1; n <= e->most; n += step) {
        count(p, g, n, part);
        double s =
            cs_curves_together((double)p->items, p->nhosts + 1, curve, part) + cs_hosts_communication(p, (double)n);
        if (n == 1 || s < e->seconds) {
            *e = (struct cs_enough){n, s, e->most, 0};
        } else if (n == e->processes + step)
            e->next_seconds = s;
    }
}

int cs_hosts_enough(const struct cs_host_plan *p, struct cs_enough *e)
{
    size_t n = (size_t)p->nhosts + 1; /* and rank 0 */
    struct group *g = malloc(n * sizeof *g);
    struct cs_time_curve *curve = malloc(n * sizeof *curve);
    double *point = malloc(2 * n * sizeof *point), *part = malloc(n * sizeof *part);
    bool whole = g && curve && point && part;
    *e = (struct cs_enough){.most = p->processes};
    if (p->ncommunication && p->communication[p->ncommunication - 1].ranks > e->most)
        e->most = p->communication[p->ncommunication - 1].ranks;
    if (p->items < e->most)
        e->most = p->items > 0 ? (long)p->items : 1;
    for (size_t i = 0; whole && i < n; i++) {
        const struct cs_host *h = &p->host[i ? i - 1 : 0];
        double equal = fmax(1, (double)p->items / p->processes);
        bool lead = i == 0;
        g[i] = (struct group){h, lead, lead ? cs_process_seconds(p, h, 0, equal) : cs_host_seconds(p, h, equal)};
    }
    if (whole) {
        qsort(g, n, sizeof *g, fastest_first);
        for (size_t i = 0; i < n; i++)
            curve[i] = curve_of(p, &g[i], &point[2 * i]);
        look(p, g, curve, part, e);
    }
    free(g);
    free(curve);
    free(point);
    free(part);
    return whole ? 0 : -1;
}
