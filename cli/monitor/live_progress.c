/* SPDX-License-Identifier: BSD-3-Clause
 * Progress through a trace: live_progress.h. Of each rank a table of at most MOST_STEPS points is kept, whatever the
 * trace's length. */
#include "cli/monitor/live_progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/predict/model_prices.h"
#include "cli/predict/prediction.h"
#include "cli/show/open_trace.h"
#include "reading/locations.h"
#include "trace/trace.h"

/* Points of a rank's way. */
enum { MOST_STEPS = 1 << 14 };

/* Below that share of the run the model says more of the rest than the run so far. */
static const double EARLY = 0.05;

/* What an event adds to its rank's time, s. */
static double cost_of(const struct cs_live_progress *p, struct cs_prices *prices, int rank, int from,
                      const struct cs_event *e, double *before)
{
    double is = 1e-9 * (double)e->t_exit, cost = is - *before;
    if (p->by_model)
        return from < 0 ? 0 : 1e-9 * fmax(0, cs_price_next(prices, rank, from, e->site));
    *before = is;
    return fmax(0, cost);
}

static int read_way(struct cs_live_progress *p, struct cs_prices *prices, int rank)
{
    struct cs_rank_way *w = &p->way[rank];
    struct cs_event e;
    int from = -1, got;
    double sum = 0, before = 0;
    w->events = cs_trace_nevents(p->trace, rank);
    w->step = w->events / MOST_STEPS + 1;
    size_t points = (size_t)(w->events / w->step) + 1;
    w->cost = calloc(points, sizeof *w->cost);
    w->site = calloc(points, sizeof *w->site);
    struct cs_trace_iter *it = w->cost && w->site ? cs_trace_iter_open(p->trace, rank) : NULL;
    if (!it)
        return cs_error("not enough memory");
    for (int64_t i = 0; (got = cs_trace_iter_next(it, &e)) > 0; from = e.site) {
        sum += cost_of(p, prices, rank, from, &e, &before);
        if (++i % w->step || (size_t)(i / w->step) >= points)
            continue;
        w->cost[i / w->step] = (float)sum;
        w->site[i / w->step] = e.site;
    }
    w->seconds = sum;
    for (size_t i = 0; i < points && sum > 0; i++)
        w->cost[i] = (float)((double)w->cost[i] / sum);
    int code = got < 0 ? cs_error("%s", cs_trace_iter_error(it)) : 0;
    cs_trace_iter_free(it);
    return code;
}

/* The whole run's time by the model, on the network that predict takes if it is told nothing. */
static int ask_model(struct cs_live_progress *p, const char *trace, const char *model)
{
    struct cs_prediction whole;
    struct cs_prediction_way way = {.model = model, .network = &cs_network_usual, .own_method = true, .of_rank = -1};
    if (cs_prediction_make(&whole, trace, trace, &way))
        return CS_EXIT_ERROR;
    p->seconds = whole.times.seconds;
    p->least = whole.least;
    p->most = whole.most;
    cs_prediction_free(&whole);
    return 0;
}

static int read_all(struct cs_live_progress *p, const char *trace, const char *model)
{
    struct cs_prices prices = {0};
    int code = 0;
    p->way = calloc((size_t)p->nranks, sizeof *p->way);
    if (!p->way)
        return cs_error("not enough memory");
    if (model && ((code = ask_model(p, trace, model)) || cs_prices_make(&prices, model, p->trace, trace, -1)))
        return CS_EXIT_ERROR;
    for (int i = 0; !code && i < p->nranks; i++) {
        code = read_way(p, &prices, i);
        if (!model)
            p->seconds = p->least = p->most = fmax(p->seconds, p->way[i].seconds);
    }
    if (model)
        cs_prices_free(&prices);
    return code;
}

int cs_live_progress_open(struct cs_live_progress *p, const char *trace, const char *model)
{
    *p = (struct cs_live_progress){.by_model = model != NULL, .trace = cs_open_trace(trace)};
    if (!p->trace)
        return CS_EXIT_ERROR;
    p->nranks = cs_trace_info(p->trace)->nranks;
    p->places = cs_locations_new();
    if (!p->places) {
        cs_live_progress_free(p);
        return cs_error("not enough memory");
    }
    int code = !model && !cs_trace_info(p->trace)->with_times
                   ? cs_error("%s: has no times: give the model of commslice fit, too, with --model", trace)
                   : read_all(p, trace, model);
    if (code)
        cs_live_progress_free(p);
    return code;
}

int cs_live_progress_fits(const struct cs_live_progress *p, const struct cs_live_run *l)
{
    if (p->nranks == l->head->nranks)
        return 0;
    return cs_error("the trace is of %d ranks, the run has %d", p->nranks, l->head->nranks);
}

double cs_live_progress_of(const struct cs_live_progress *p, int rank, int64_t events)
{
    const struct cs_rank_way *w = &p->way[rank];
    if (events >= w->events || w->seconds <= 0)
        return events >= w->events ? 1 : 0;
    return (double)w->cost[events / w->step];
}

static const char *site_text(const struct cs_live_progress *p, int rank, int site, char buf[120])
{
    struct cs_source_location l = {.line = -1};
    if (site >= 0)
        l = cs_locations_find(p->places, cs_trace_site(p->trace, rank, site));
    const char *slash = l.file ? strrchr(l.file, '/') : NULL;
    if (l.file && l.line > 0)
        snprintf(buf, 120, "%.100s:%d", slash ? slash + 1 : l.file, l.line);
    else
        snprintf(buf, 120, "?");
    return buf;
}

const char *cs_live_progress_segment(const struct cs_live_progress *p, int rank, int64_t events, char buf[256])
{
    const struct cs_rank_way *w = &p->way[rank];
    char from[120], to[120];
    *buf = '\0';
    if (w->step == 1 && events > 0 && events < w->events)
        snprintf(buf, 256, "%s -> %s", site_text(p, rank, w->site[events], from),
                 site_text(p, rank, w->site[events + 1], to));
    return buf;
}

void cs_live_progress_look(struct cs_live_progress *p, const struct cs_live_run *l, const struct cs_live_view *v)
{
    double sum = 0, elapsed = 1e-9 * (double)(v->now - l->head->began);
    int n = 0;
    p->beyond = false;
    for (int i = 0; i < v->nranks; i++) {
        const struct cs_rank_view *r = &v->rank[i];
        /* The trace begins with MPI_Init, which is not counted. */
        int64_t events = r->calls.events + 1;
        if (r->at == CS_AT_ELSEWHERE || !r->calls.pid)
            continue;
        sum += r->at == CS_AT_ENDED ? 1 : cs_live_progress_of(p, i, events);
        p->beyond |= events > p->way[i].events;
        n++;
    }
    p->share = n ? sum / n : 0;
    p->pace = elapsed > 0 ? p->share * p->seconds / elapsed : 0;
    p->end = (struct cs_live_end){0};
    if (n == 0 || p->beyond)
        return;
    double scaled = p->share > 0 ? elapsed * (1 - p->share) / p->share : INFINITY, rest = 1 - p->share;
    bool early = p->share < EARLY;
    p->end.known = true;
    p->end.seconds = early ? rest * p->seconds : scaled;
    p->end.least = fmin(p->end.seconds, rest * p->least);
    p->end.most = fmax(p->end.seconds, rest * p->most);
}

void cs_live_progress_free(struct cs_live_progress *p)
{
    for (int i = 0; p->way && i < p->nranks; i++) {
        free(p->way[i].cost);
        free(p->way[i].site);
    }
    free(p->way);
    if (p->places)
        cs_locations_free(p->places);
    cs_trace_free(p->trace);
    *p = (struct cs_live_progress){0};
}
