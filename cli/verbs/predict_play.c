/* SPDX-License-Identifier: BSD-3-Clause
 * commslice predict --network and --model: plays the calls of a trace on a network that a few numbers describe, with
 * the computation that was recorded between them, or that a model knows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/frame/json.h"
#include "cli/show/open_trace.h"
#include "cli/verbs/model_prices.h"
#include "cli/verbs/predict_play.h"
#include "predict/network/network.h"

/* A play under way. */
struct playing {
    const struct cs_trace *t;
    struct cs_prices prices; /* by the model */
    bool by_model;
    double factor;               /* of the model's computation */
    int64_t unpriced;            /* ways that the trace's segments do not have */
    int64_t *last_exit;          /* of each rank's previous event, as recorded; -1: there was none */
    double *computed, *in_calls; /* ns of each rank */
    int64_t done, total;
};

static double recorded_computation(void *arg, int rank, int from, const struct cs_event *e)
{
    struct playing *g = arg;
    (void)from;
    int64_t ns = g->last_exit[rank] < 0 ? 0 : e->t_enter - e->t_delay - g->last_exit[rank];
    g->last_exit[rank] = e->t_exit;
    ns = ns > 0 ? ns : 0;
    g->computed[rank] += (double)ns;
    return (double)ns;
}

static double model_computation(void *arg, int rank, int from, const struct cs_event *e)
{
    struct playing *g = arg;
    double ns = cs_price_of(&g->prices, rank, from, e->site);
    if (g->last_exit[rank] < 0) { /* before MPI_Init */
        g->last_exit[rank] = 0;
        return 0;
    }
    g->unpriced += ns < 0;
    ns = ns > 0 ? ns * g->factor : 0;
    g->computed[rank] += ns;
    return ns;
}

static void note_call(void *arg, const struct cs_played_call *c)
{
    struct playing *g = arg;
    g->in_calls[c->rank] += c->exit - c->enter;
    if (++g->done % 65536 == 0)
        cs_progress("playing the trace", g->done, g->total);
}

static double most(const double *a, int n)
{
    double m = 0;
    for (int i = 0; i < n; i++)
        m = a[i] > m ? a[i] : m;
    return m;
}

static double mean(const double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum / n;
}

static void say_model(const struct playing *g)
{
    const struct cs_prices *p = &g->prices;
    int uncounted = 0;
    for (int i = 0; i < p->o.ncounters; i++)
        uncounted += !p->o.counter[i].counted;
    putchar('\n');
    cs_print_segments(&p->o, &p->m, p->line, p->m.n);
    if (p->unmeasured > 0.001)
        printf("%.1f %% of it is in pieces that no small run went through: priced like the mean of all others\n",
               100 * p->unmeasured);
    if (uncounted)
        printf("%d of %d counters are not known in the slice or in a small run, and are left out\n", uncounted,
               p->o.ncounters);
    if (g->unpriced)
        printf("%" PRId64 " ways between calls are not among the trace's segments, and cost nothing here\n",
               g->unpriced);
}

static void put_real(struct cs_json *j, const char *key, double v)
{
    char text[64];
    snprintf(text, sizeof text, "%.9f", v);
    cs_json_raw(j, key, text);
}

static void say_json(const struct playing *g, const struct cs_network_times *s, const double *ends)
{
    int n = cs_trace_info(g->t)->nranks;
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_json_int(&j, "ranks", n);
    put_real(&j, "predicted_s", s->seconds);
    put_real(&j, "least_s", ends[0]);
    put_real(&j, "most_s", ends[1]);
    put_real(&j, "computation_mean_s", mean(g->computed, n) * 1e-9);
    put_real(&j, "computation_most_s", most(g->computed, n) * 1e-9);
    put_real(&j, "in_calls_mean_s", mean(g->in_calls, n) * 1e-9);
    cs_json_int(&j, "calls", s->calls);
    cs_json_int(&j, "messages", s->messages);
    cs_json_int(&j, "polls", s->polls);
    cs_json_int(&j, "not_modelled", s->not_modelled);
    if (g->by_model) {
        put_real(&j, "unmeasured_share", g->prices.unmeasured);
        cs_segments_json(&j, &g->prices.o, &g->prices.m, g->prices.line, g->prices.m.n);
    }
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

static void say(const struct playing *g, const struct cs_network_times *s, const double *ends)
{
    int n = cs_trace_info(g->t)->nranks;
    double computed = mean(g->computed, n) * 1e-9, worst = most(g->computed, n) * 1e-9;
    printf("predicted: %.4g s on %d ranks", s->seconds, n);
    if (g->by_model)
        printf(", with 90 %% between %.4g and %.4g s", ends[0], ends[1]);
    putchar('\n');
    printf("computation: %.4g s on the mean rank, %.4g s on the one with most; in MPI calls: %.4g s on the mean rank\n",
           computed, worst, mean(g->in_calls, n) * 1e-9);
    if (!g->by_model && !cs_trace_info(g->t)->with_times)
        puts("communication only: the trace has no times, so computation is not in it");
    if (s->polls)
        printf("%" PRId64
               " calls ask whether something came (MPI_Test, MPI_Iprobe): they are played as often as they were "
               "recorded, and wait for nothing\n",
               s->polls);
    if (s->not_modelled)
        printf("%" PRId64 " collectives of neighbours or between groups are played without waiting\n", s->not_modelled);
    if (g->by_model)
        say_model(g);
}

static int prepare(struct playing *g, const struct cs_trace *t)
{
    size_t n = (size_t)cs_trace_info(t)->nranks;
    *g = (struct playing){.t = t,
                          .factor = 1,
                          .last_exit = calloc(n, sizeof *g->last_exit),
                          .computed = calloc(n, sizeof *g->computed),
                          .in_calls = calloc(n, sizeof *g->in_calls)};
    for (int r = 0; r < (int)n; r++)
        g->total += cs_trace_nevents(t, r);
    return g->last_exit && g->computed && g->in_calls ? 0 : cs_error("not enough memory");
}

/* Plays with computation that is so much longer. 0, or an exit code after a message. */
static int play(struct playing *g, const struct cs_network *n, double factor, const char *trace,
                struct cs_network_times *times)
{
    char why[512];
    struct cs_network_user u = {g->by_model ? model_computation : recorded_computation, note_call, g};
    int ranks = cs_trace_info(g->t)->nranks;
    g->factor = factor;
    g->unpriced = g->done = 0;
    for (int r = 0; r < ranks; r++) {
        g->last_exit[r] = -1;
        g->computed[r] = g->in_calls[r] = 0;
    }
    int code = cs_network_play(g->t, n, &u, times, why, sizeof why) ? cs_error("%s: %s", trace, why) : CS_EXIT_OK;
    cs_progress_end();
    return code;
}

/* The ends of the 90 % interval, by plays with the least and the most computation, and then what lies between. */
static int play_all(struct playing *g, const struct cs_network *n, const char *trace, struct cs_network_times *times,
                    double *ends)
{
    double share = g->by_model ? g->prices.spread : 0;
    const double factor[] = {fmax(1 - share, 0), 1 + share};
    for (int i = 0; i < 2 && g->by_model; i++) {
        int code = play(g, n, factor[i], trace, times);
        if (code)
            return code;
        ends[i] = times->seconds;
    }
    int code = play(g, n, 1, trace, times);
    if (!g->by_model)
        ends[0] = ends[1] = times->seconds;
    return code;
}

int cs_predict_play(const struct cs_predict_play *p)
{
    char why[512];
    struct cs_network n = {.latency = 1000, .overhead = 300, .gap = 100, .per_byte = 0.1, .eager = 65536};
    if (p->network && cs_network_parse(p->network, &n, why, sizeof why))
        return cs_error("--network: %s", why);
    struct cs_trace *t = cs_open_trace(p->trace);
    if (!t)
        return CS_EXIT_ERROR;
    struct playing g;
    struct cs_network_times times;
    double ends[2];
    int code = prepare(&g, t);
    if (!code && p->model) {
        g.by_model = true;
        code = cs_prices_make(&g.prices, p->model, t, p->trace) ? CS_EXIT_ERROR : CS_EXIT_OK;
    }
    if (!code)
        code = play_all(&g, &n, p->trace, &times, ends);
    if (!code && p->json)
        say_json(&g, &times, ends);
    else if (!code)
        say(&g, &times, ends);
    cs_prices_free(&g.prices);
    free(g.last_exit);
    free(g.computed);
    free(g.in_calls);
    cs_trace_free(t);
    return code ? code : cs_finish_output(code);
}
