/* SPDX-License-Identifier: BSD-3-Clause
 * Prints one prediction; see prediction_text.h. */
#include "cli/predict/prediction_text.h"

#include <inttypes.h>
#include <math.h>

#include "cli/frame/cli.h"
#include "cli/frame/text.h"

/* Above this share, a slice that counts more is advised: loops that are not counted keep the ratio of the small runs.
 */
static const double MUCH = 0.1;

static void advise_counters(const struct cs_prediction *p, char *buf, size_t len)
{
    snprintf(buf, len,
             "%.0f %% of the small runs' turns are in loops that the slice does not count, most of them at %s: link it "
             "with -fplugin-arg-commslice-counters=setup, or =all, to have more of them counted",
             100 * p->uncounted, p->uncounted_at);
}

void cs_print_uncounted(const struct cs_prediction *p)
{
    char text[512];
    if (!p->uncounted_at || p->uncounted <= MUCH)
        return;
    advise_counters(p, text, sizeof text);
    cs_print_plain(stdout, "%s", text);
}

/* Computation that may be slower than all that was measured. */
static void print_beyond(const struct cs_prices *p)
{
    char text[1024];
    if (cs_prices_say_beyond(p, text, sizeof text))
        cs_print_plain(stdout, "%s", text);
    if (cs_prices_say_slow(p, text, sizeof text))
        cs_print_plain(stdout, "%s", text);
}

static void print_model(const struct cs_prediction *q)
{
    const struct cs_prices *p = &q->prices;
    int uncounted = 0;
    for (int i = 0; i < p->o.ncounters; i++)
        uncounted += !p->o.counter[i].counted;
    putchar('\n');
    cs_print_segments(&p->o, &p->m, p->line, p->m.n);
    if (p->unmeasured > 0.001)
        printf(
            "%.1f %% of it is in pieces that no small run went through (never measured): they cost what turns of their "
            "loops cost elsewhere; %.0f %% of their turns are in loops that no small run has, at the mean of all\n",
            100 * p->unmeasured, 100 * p->unknown_turns);
    print_beyond(p);
    if (uncounted)
        printf("%d of %d counters are not known in the slice or in a small run, and are left out\n", uncounted,
               p->o.ncounters);
    cs_print_uncounted(q);
    if (q->unpriced)
        printf("%" PRId64 " ways between calls are not among the trace's segments, and cost nothing here\n",
               q->unpriced);
}

void cs_prediction_real(struct cs_json *j, const char *key, double v)
{
    char text[64];
    snprintf(text, sizeof text, "%.9f", v);
    cs_json_raw(j, key, text);
}

/* A method's answer: null if there is none, and why. */
static void put_answer(struct cs_json *j, const struct cs_prediction *p, enum cs_method m)
{
    const struct cs_whole_answer *a = &p->answer[m];
    cs_json_open(j, cs_method_name(m), '{');
    if (a->known)
        cs_prediction_real(j, "predicted_s", a->seconds);
    else
        cs_json_null(j, "predicted_s");
    if (a->known && a->error >= 0)
        cs_prediction_real(j, "error", a->error);
    else
        cs_json_null(j, "error");
    cs_json_string(j, a->known ? "formula" : "why", a->formula);
    cs_json_close(j, '}');
}

static void put_methods(struct cs_json *j, const struct cs_prediction *p)
{
    if (!p->by_model)
        return;
    cs_json_string(j, "method", cs_method_name(p->method));
    if (!p->all && p->method == CS_METHOD_SEGMENTS)
        return;
    cs_json_open(j, "methods", '{');
    for (enum cs_method m = CS_METHOD_COUNTERS; m < CS_METHODS; m++)
        if (p->all || m == p->method)
            put_answer(j, p, m);
    cs_json_close(j, '}');
}

void cs_prediction_members(struct cs_json *j, const struct cs_prediction *p)
{
    const struct cs_network_times *s = &p->times;
    cs_json_int(j, "ranks", p->ranks);
    cs_prediction_real(j, "predicted_s", s->seconds);
    cs_prediction_real(j, "least_s", p->least);
    cs_prediction_real(j, "most_s", p->most);
    cs_prediction_real(j, "computation_mean_s", p->computed_mean);
    cs_prediction_real(j, "computation_most_s", p->computed_most);
    cs_json_int(j, "computation_most_rank", p->computed_most_rank);
    cs_prediction_real(j, "in_calls_mean_s", p->in_calls_mean);
    cs_json_int(j, "calls", s->calls);
    cs_json_int(j, "messages", s->messages);
    cs_json_int(j, "polls", s->polls);
    cs_json_int(j, "not_modelled", s->not_modelled);
    if (p->size > 0)
        cs_prediction_real(j, "size", p->size);
    if (p->by_model) {
        cs_prediction_real(j, "uncounted_share", p->uncounted);
        cs_json_string(j, "uncounted_most", p->uncounted_at);
    }
    put_methods(j, p);
}

void cs_prediction_json(const struct cs_prediction *p)
{
    struct cs_json j = {.out = stdout};
    cs_json_open(&j, NULL, '{');
    cs_prediction_members(&j, p);
    if (p->by_model) {
        cs_prediction_real(&j, "unmeasured_share", p->prices.unmeasured);
        cs_prediction_real(&j, "beyond_caches_share", p->prices.beyond);
        cs_prediction_real(&j, "never_slow_share", p->prices.slow);
        cs_segments_json(&j, &p->prices.o, &p->prices.m, p->prices.line, p->prices.m.n);
    }
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

void cs_methods_print(const struct cs_prediction *p)
{
    for (enum cs_method m = CS_METHOD_COUNTERS; m < CS_METHODS; m++) {
        const struct cs_whole_answer *a = &p->answer[m];
        if (!p->all && m != p->method)
            continue;
        if (a->known && a->error >= 0)
            printf("%s: %.4g s, off by %.1f %% on runs that are left out", cs_method_name(m), a->seconds,
                   100 * a->error);
        else if (a->known)
            printf("%s: %.4g s, which nothing has checked", cs_method_name(m), a->seconds);
        else
            printf("%s", cs_method_name(m));
        cs_print_plain(stdout, ": %s", a->formula);
    }
}

static void print_played(const struct cs_prediction *p)
{
    const struct cs_network_times *s = &p->times;
    printf("computation: %.4g s on the mean rank, %.4g s on rank %d, which has most; in MPI calls: %.4g s on the mean "
           "rank\n",
           p->computed_mean, p->computed_most, p->computed_most_rank, p->in_calls_mean);
    if (!p->by_model && !p->timed)
        puts("communication only: the trace has no times, so computation is not in it");
    if (s->polls)
        printf("%" PRId64
               " calls ask whether something came (MPI_Test, MPI_Iprobe): they are played as often as they were "
               "recorded, and wait for nothing\n",
               s->polls);
    if (s->not_modelled)
        printf("%" PRId64 " collectives of neighbours or between groups are played without waiting\n", s->not_modelled);
    if (p->by_model)
        print_model(p);
}

void cs_prediction_print(const struct cs_prediction *p)
{
    printf("predicted: %.4g s on %d ranks", p->times.seconds, p->ranks);
    if (p->by_model)
        printf(", with 90 %% between %.4g and %.4g s", p->least, p->most);
    putchar('\n');
    if (p->method == CS_METHOD_SEGMENTS)
        print_played(p);
    if (p->all)
        puts("\nother methods, of whole runs as they were measured:");
    cs_methods_print(p);
}

/* The longest limit that is a limit: ten years. */
static const double LONGEST = 10 * 365.0 * 86400;

int cs_prediction_slurm(const struct cs_prediction *p)
{
    double most = ceil(p->most);
    if (!(most <= LONGEST))
        return cs_error("%s: predicted are up to %.3g s, which is no limit for a job", p->trace, p->most);
    if (p->by_model && p->prices.unmeasured > 0.1)
        cs_note("%s: %.0f %% of the computation is in pieces that no small run went through", p->trace,
                100 * p->prices.unmeasured);
    char text[1024];
    if (p->by_model && cs_prices_say_beyond(&p->prices, text, sizeof text))
        cs_note("%s: %s", p->trace, text);
    if (p->by_model && cs_prices_say_slow(&p->prices, text, sizeof text))
        cs_note("%s: %s", p->trace, text);
    if (!p->by_model && !p->timed)
        cs_note("%s: communication only: the trace has no times, so computation is not in it", p->trace);
    if (p->uncounted_at && p->uncounted > MUCH) {
        char text[512];
        advise_counters(p, text, sizeof text);
        cs_note("%s: %s", p->trace, text);
    }
    long s = most < 1 ? 1 : (long)most;
    printf("%ld-%02ld:%02ld:%02ld\n", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60);
    return CS_EXIT_OK;
}
