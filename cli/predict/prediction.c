/* SPDX-License-Identifier: BSD-3-Clause
 * Plays a trace on a network; see prediction.h.
 * With a model it is played three times: with the least and the most computation of the interval, and with that
 * between. What is counted of ranks and places is that of the last play. */
#include "cli/predict/prediction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/output.h"
#include "cli/show/open_trace.h"

/* A play under way. */
struct playing {
    struct cs_prediction *p;
    const struct cs_trace *t;
    const char *path; /* of the trace */
    const struct cs_simgrid *simgrid;
    double factor;               /* of the model's computation */
    int64_t *last_exit;          /* of each rank's previous event, as recorded; -1: there was none */
    double *computed, *in_calls; /* ns of each rank */
    int **place;                 /* of each rank and site, the number among all */
    double *at_place;            /* ns in calls of each place, all ranks */
    FILE *goal;                  /* where the schedule of the last play goes, or NULL */
    int64_t done, total;
};

/* Which call is made at the place of the event. */
static void note_place(struct playing *g, int rank, const struct cs_event *e)
{
    if (e->site >= 0)
        g->p->call_at[g->place[rank][e->site]] = e->call;
}

static double recorded_computation(void *arg, int rank, int from, const struct cs_event *e)
{
    struct playing *g = arg;
    (void)from;
    note_place(g, rank, e);
    int64_t ns = g->last_exit[rank] < 0 ? 0 : e->t_enter - e->t_delay - g->last_exit[rank];
    g->last_exit[rank] = e->t_exit;
    ns = ns > 0 ? ns : 0;
    g->computed[rank] += (double)ns;
    return (double)ns;
}

static double model_computation(void *arg, int rank, int from, const struct cs_event *e)
{
    struct playing *g = arg;
    double ns = cs_price_next(&g->p->prices, rank, from, e->site);
    note_place(g, rank, e);
    if (g->last_exit[rank] < 0) { /* before MPI_Init */
        g->last_exit[rank] = 0;
        return 0;
    }
    g->p->unpriced += ns < 0;
    ns = ns > 0 ? ns * g->factor : 0;
    g->computed[rank] += ns;
    return ns;
}

static void note_call(void *arg, const struct cs_played_call *c)
{
    struct playing *g = arg;
    g->in_calls[c->rank] += c->exit - c->enter;
    if (c->site >= 0)
        g->at_place[g->place[c->rank][c->site]] += c->exit - c->enter;
    if (++g->done % 65536 == 0)
        cs_progress("playing the trace", g->done, g->total);
}

/* By SimGrid, which says nothing of single calls: in them is what is not computation. 0, or -1 after a message. */
static int play_by_simgrid(struct playing *g, const struct cs_network_user *u)
{
    struct cs_network_times *times = &g->p->times;
    if (cs_simgrid_play(g->simgrid, g->path, g->p->ranks, u->computation, g, &times->seconds))
        return -1;
    times->calls = g->total;
    for (int r = 0; r < g->p->ranks; r++)
        g->in_calls[r] = times->seconds * 1e9 - g->computed[r];
    return 0;
}

/* Plays with computation that is so much longer. 0, or -1 after a message. */
static int play(struct playing *g, const struct cs_network *n, double factor)
{
    char why[512];
    struct cs_network_user u = {g->p->by_model ? model_computation : recorded_computation, note_call, g};
    g->factor = factor;
    g->p->unpriced = g->done = 0;
    cs_prices_begin(&g->p->prices);
    for (int r = 0; r < g->p->ranks; r++) {
        g->last_exit[r] = -1;
        g->computed[r] = g->in_calls[r] = 0;
    }
    memset(g->at_place, 0, ((size_t)g->p->call.nsites + 1) * sizeof *g->at_place);
    if (g->simgrid)
        return play_by_simgrid(g, &u);
    int rc = g->goal ? cs_network_goal(g->t, n, &u, &g->p->times, g->goal, why, sizeof why)
                     : cs_network_play(g->t, n, &u, &g->p->times, why, sizeof why);
    cs_progress_end();
    return rc ? cs_error("%s: %s", g->p->trace, why), -1 : 0;
}

/* The last play, whose schedule is wanted. 0, or -1 after a message. */
static int play_with_goal(struct playing *g, const struct cs_network *n, const char *goal)
{
    struct cs_output out;
    if (cs_output_open(&out, goal))
        return -1;
    g->goal = out.f;
    int rc = play(g, n, 1);
    g->goal = NULL;
    return cs_output_close(&out, rc == 0) ? -1 : rc;
}

static int play_all(struct playing *g, const struct cs_network *n, const char *goal)
{
    struct cs_prediction *p = g->p;
    double share = p->by_model ? p->prices.spread : 0, more = p->by_model ? cs_prices_more(&p->prices) : 0;
    if (p->by_model && play(g, n, fmax(1 - share, 0)))
        return -1;
    p->least = p->times.seconds;
    if (p->by_model && play(g, n, 1 + more))
        return -1;
    p->most = p->times.seconds;
    if (goal ? play_with_goal(g, n, goal) : play(g, n, 1))
        return -1;
    if (!p->by_model)
        p->least = p->most = p->times.seconds;
    return 0;
}

/* ---- places and parts ---- */

/* Numbers the sites of all ranks. 0, or -1: no memory. */
static int list_places(struct playing *g)
{
    for (int r = 0; r < g->p->ranks; r++) {
        int n = 0;
        while (cs_trace_site(g->t, r, n))
            n++;
        if (!(g->place[r] = malloc(((size_t)n + 1) * sizeof **g->place)))
            return -1;
        for (int i = 0; i < n; i++)
            if ((g->place[r][i] = cs_observed_site_number(&g->p->call, cs_trace_site(g->t, r, i))) < 0)
                return -1;
    }
    g->at_place = calloc((size_t)g->p->call.nsites + 1, sizeof *g->at_place);
    g->p->call_at = malloc(((size_t)g->p->call.nsites + 1) * sizeof *g->p->call_at);
    for (int i = 0; g->p->call_at && i < g->p->call.nsites; i++)
        g->p->call_at[i] = -1;
    return g->at_place && g->p->call_at ? 0 : -1;
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static char *place_name(const char *before, const char *file, int line)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s:%d", before, base_name(file), line);
    return strdup(text);
}

static int add_segments(struct cs_prediction *p)
{
    const struct cs_observations *o = &p->prices.o;
    for (int i = 0; i < p->prices.m.n; i++) {
        const struct cs_segment_line *l = &p->prices.line[i];
        struct cs_prediction_part *part = &p->part[p->nparts];
        char name[560];
        /* What is before MPI_Init and behind MPI_Finalize is not in the time. */
        if (o->segment[i].from < 0 || o->segment[i].to < 0 || l->mean <= 0)
            continue;
        cs_segment_name(o, i, name, sizeof name);
        *part = (struct cs_prediction_part){.name = strdup(name), .seconds = l->mean, .outside = l->outside};
        if (l->outside_counter >= 0)
            part->counter = place_name("", o->counter[l->outside_counter].file, o->counter[l->outside_counter].line);
        p->nparts++;
        if (!part->name || (l->outside_counter >= 0 && !part->counter))
            return -1;
    }
    return 0;
}

static int add_calls(const struct playing *g)
{
    struct cs_prediction *p = g->p;
    for (int i = 0; i < p->call.nsites; i++) {
        if (g->at_place[i] <= 0)
            continue;
        struct cs_prediction_part *part = &p->part[p->nparts++];
        *part = (struct cs_prediction_part){.in_calls = true, .outside = 1};
        part->seconds = g->at_place[i] / p->ranks * 1e-9;
        if (!(part->name = place_name("MPI at ", p->call.site[i].file, p->call.site[i].line)))
            return -1;
    }
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct cs_prediction_part *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_time(const void *a, const void *b)
{
    const struct cs_prediction_part *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds) - (x->seconds > y->seconds) : by_name(a, b);
}

static void free_part(struct cs_prediction_part *part)
{
    free(part->name);
    free(part->counter);
}

/* Parts of one name become one: those of files of one name, or of one line. */
static void join_parts(struct cs_prediction *p)
{
    int n = 0;
    qsort(p->part, (size_t)p->nparts, sizeof *p->part, by_name);
    for (int i = 0; i < p->nparts; i++) {
        if (n == 0 || strcmp(p->part[n - 1].name, p->part[i].name) != 0) {
            p->part[n++] = p->part[i];
            continue;
        }
        p->part[n - 1].seconds += p->part[i].seconds;
        free_part(&p->part[i]);
    }
    p->nparts = n;
    qsort(p->part, (size_t)p->nparts, sizeof *p->part, by_time);
}

/* 0, or -1: no memory. */
static int list_parts(const struct playing *g)
{
    struct cs_prediction *p = g->p;
    p->part = calloc((size_t)p->call.nsites + (size_t)p->prices.m.n + 1, sizeof *p->part);
    if (!p->part || (p->by_model && add_segments(p)) || add_calls(g))
        return -1;
    join_parts(p);
    return 0;
}

/* ---- the whole ---- */

/* 0, or -1: no memory. */
static int sum_ranks(const struct playing *g)
{
    struct cs_prediction *p = g->p;
    if (!(p->rank = malloc((size_t)p->ranks * sizeof *p->rank)))
        return -1;
    for (int r = 0; r < p->ranks; r++) {
        p->rank[r] = (struct cs_prediction_rank){g->computed[r] * 1e-9, g->in_calls[r] * 1e-9};
        p->computed_mean += p->rank[r].computed / p->ranks;
        p->in_calls_mean += p->rank[r].in_calls / p->ranks;
        if (p->rank[r].computed > p->rank[p->computed_most_rank].computed)
            p->computed_most_rank = r;
    }
    p->computed_most = p->rank[p->computed_most_rank].computed;
    return 0;
}

/* 0, or -1: no memory. */
static int prepare(struct playing *g)
{
    size_t n = (size_t)g->p->ranks;
    g->last_exit = calloc(n, sizeof *g->last_exit);
    g->computed = calloc(n, sizeof *g->computed);
    g->in_calls = calloc(n, sizeof *g->in_calls);
    g->place = calloc(n, sizeof *g->place);
    for (int r = 0; r < (int)n; r++)
        g->total += cs_trace_nevents(g->t, r);
    return g->last_exit && g->computed && g->in_calls && g->place ? list_places(g) : -1;
}

static void free_playing(struct playing *g)
{
    for (int r = 0; g->place && r < g->p->ranks; r++)
        free(g->place[r]);
    free(g->place);
    free(g->at_place);
    free(g->last_exit);
    free(g->computed);
    free(g->in_calls);
}

/* 90 % of normal errors are within so many standard deviations. */
static const double NINETY = 1.645;

/* Asks the methods that know runs as a whole; takes the answer of the one that was asked for. 0, or -1 after a
 * message. */
static int ask(struct cs_prediction *p)
{
    const struct cs_observations *o = &p->prices.o;
    for (enum cs_method m = CS_METHOD_COUNTERS; m < CS_METHODS; m++)
        if (p->all || m == p->method)
            cs_whole_ask(o, m, o->nruns - 1, &p->answer[m]);
    if (p->method == CS_METHOD_SEGMENTS)
        return 0;
    const struct cs_whole_answer *a = &p->answer[p->method];
    if (!a->known)
        return cs_error("%s: method %s: %s", p->trace, cs_method_name(p->method), a->formula), -1;
    double share = a->error < 0 ? 1 : NINETY * a->error;
    p->times.seconds = a->seconds;
    p->least = a->seconds * fmax(1 - share, 0);
    p->most = a->seconds * (1 + share);
    return 0;
}

static int play_and_sum(struct playing *g, const struct cs_network *n, const char *goal)
{
    if (play_all(g, n, goal))
        return -1;
    return sum_ranks(g) || list_parts(g) ? cs_error("not enough memory"), -1 : 0;
}

/* 0, or -1: no memory. */
static int note_uncounted(struct cs_prediction *p)
{
    int c = p->prices.uncounted_most;
    p->uncounted = p->prices.uncounted;
    if (c < 0)
        return 0;
    p->uncounted_at = place_name("", p->prices.o.counter[c].file, p->prices.o.counter[c].line);
    return p->uncounted_at ? 0 : -1;
}

static int predict(struct playing *g, const struct cs_prediction_way *w)
{
    struct cs_prediction *p = g->p;
    if (!p->trace || prepare(g))
        return cs_error("not enough memory"), -1;
    if (w->model) {
        if (cs_prices_make(&p->prices, w->model, g->t, p->trace, w->of_rank))
            return -1;
        if (note_uncounted(p))
            return cs_error("not enough memory"), -1;
        p->method = w->all ? CS_METHOD_SEGMENTS : w->own_method ? p->prices.o.method : w->method;
        p->prices.o.run[p->prices.o.nruns - 1].size = w->size;
        if (ask(p))
            return -1;
    }
    return p->method == CS_METHOD_SEGMENTS ? play_and_sum(g, w->network, w->goal) : 0;
}

int cs_prediction_make(struct cs_prediction *p, const char *trace, const char *name, const struct cs_prediction_way *w)
{
    struct cs_trace *t = cs_open_trace(trace);
    *p = (struct cs_prediction){.by_model = w->model != NULL, .all = w->all};
    if (!t)
        return -1;
    p->trace = strdup(name);
    p->size = w->size;
    p->ranks = cs_trace_info(t)->nranks;
    p->timed = cs_trace_info(t)->with_times;
    struct playing g = {.p = p, .t = t, .path = trace, .simgrid = w->simgrid};
    int rc = predict(&g, w);
    free_playing(&g);
    cs_trace_free(t);
    if (rc)
        cs_prediction_free(p);
    return rc;
}

void cs_prediction_shed(struct cs_prediction *p)
{
    cs_prices_free(&p->prices);
    cs_observations_free(&p->call);
    free(p->call_at);
    p->call_at = NULL;
    p->prices = (struct cs_prices){0};
}

const struct cs_prediction_part *cs_prediction_part(const struct cs_prediction *p, const char *name)
{
    for (int i = 0; i < p->nparts; i++)
        if (!strcmp(p->part[i].name, name))
            return &p->part[i];
    return NULL;
}

void cs_prediction_free(struct cs_prediction *p)
{
    cs_prediction_shed(p);
    for (int i = 0; i < p->nparts; i++)
        free_part(&p->part[i]);
    free(p->part);
    free(p->rank);
    free(p->uncounted_at);
    free(p->trace);
    *p = (struct cs_prediction){0};
}
