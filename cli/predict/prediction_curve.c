/* SPDX-License-Identifier: BSD-3-Clause
 * Prints several predictions of one program; see prediction_curve.h. */
#include "cli/predict/prediction_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/json.h"
#include "cli/frame/text.h"
#include "cli/predict/prediction_text.h"
#include "predict/regression/normal_form.h"

/* A part is shown if its share reaches this somewhere. It grows if its share does by as much. */
static const double SHOWN = 0.05, GROWS = 0.01;
/* Parts that are shown at most, and points that they are shown of. */
enum { PARTS_SHOWN = 8, COLUMNS = 6 };

static int by_ranks(const void *a, const void *b)
{
    const struct cs_prediction *x = a, *y = b;
    return x->ranks != y->ranks ? (x->ranks > y->ranks) - (x->ranks < y->ranks) : strcmp(x->trace, y->trace);
}

void cs_curve_sort(struct cs_curve *c)
{
    qsort(c->point, (size_t)c->n, sizeof *c->point, by_ranks);
}

double cs_curve_speedup(const struct cs_curve *c, int i)
{
    double times = c->point[i].times.seconds > 0 ? c->point[0].times.seconds / c->point[i].times.seconds : 0;
    return c->weak ? times * c->point[i].ranks / c->point[0].ranks : times;
}

double cs_curve_efficiency(const struct cs_curve *c, int i)
{
    return cs_curve_speedup(c, i) * c->point[0].ranks / c->point[i].ranks;
}

static double imbalance(const struct cs_prediction *p)
{
    return p->computed_mean > 0 ? p->computed_most / p->computed_mean : 1;
}

static double share(const struct cs_prediction *p, const struct cs_prediction_part *part)
{
    return part && p->times.seconds > 0 ? part->seconds / p->times.seconds : 0;
}

/* The part that lies farthest outside of those that matter; NULL: none does. */
static const struct cs_prediction_part *farthest(const struct cs_prediction *p)
{
    const struct cs_prediction_part *worst = NULL;
    for (int i = 0; i < p->nparts; i++)
        if (share(p, &p->part[i]) >= GROWS && p->part[i].outside > (worst ? worst->outside : 1.005))
            worst = &p->part[i];
    return worst;
}

static double outside(const struct cs_prediction *p)
{
    const struct cs_prediction_part *worst = farthest(p);
    return worst ? worst->outside : 1;
}

/* The part whose share of the time grows most from the first to the last point; NULL: none does. */
static const struct cs_prediction_part *grows(const struct cs_curve *c, double *before, double *after)
{
    const struct cs_prediction *first = &c->point[0], *last = &c->point[c->n - 1];
    const struct cs_prediction_part *most = NULL;
    double by = GROWS;
    for (int i = 0; i < last->nparts; i++) {
        double was = share(first, cs_prediction_part(first, last->part[i].name)), is = share(last, &last->part[i]);
        if (is - was < by)
            continue;
        by = is - was;
        most = &last->part[i];
        *before = was;
        *after = is;
    }
    return most;
}

/* A part's time as a formula in the ranks. False: there are too few points, or it is nothing. */
static bool formula(const struct cs_curve *c, const char *part, struct cs_normal_form *f)
{
    double *p = malloc(2 * (size_t)c->n * sizeof *p), *y = p ? p + c->n : NULL, most = 0;
    int n = 0;
    for (int i = 0; p && i < c->n; i++) {
        const struct cs_prediction_part *at = cs_prediction_part(&c->point[i], part);
        if (n > 0 && p[n - 1] == c->point[i].ranks) /* another run of as many ranks: another size, maybe */
            break;
        p[n] = c->point[i].ranks;
        y[n++] = at ? at->seconds : 0;
        most = fmax(most, y[n - 1]);
    }
    bool can = n == c->n && n >= CS_NORMAL_FORM_POINTS && most > 0;
    if (can)
        *f = cs_normal_form_fit(p, y, n);
    free(p);
    return can;
}

/* ---- in words ---- */

/* What is known of the parts of a time: nothing, if the method knows runs as a whole. */
static void print_inside(const struct cs_prediction *p)
{
    double in_calls = p->times.seconds > 0 ? p->in_calls_mean / p->times.seconds : 0;
    if (p->method != CS_METHOD_SEGMENTS)
        printf("          -       -");
    else
        printf("  %9.3f  %4.0f %%", imbalance(p), 100 * in_calls);
    printf(outside(p) > 1 ? "  %6.3gx\n" : "        -\n", outside(p));
}

static void print_points(const struct cs_curve *c)
{
    printf("   ranks  predicted      90 %% interval           speed-up  efficiency  imbalance  in MPI  outside\n");
    for (int i = 0; i < c->n; i++) {
        const struct cs_prediction *p = &c->point[i];
        char interval[64];
        snprintf(interval, sizeof interval, "%.4g to %.4g s", p->least, p->most);
        printf("%8d  %9.4g s  %-22s  %8.4g  %8.1f %%", p->ranks, p->times.seconds, p->by_model ? interval : "-",
               cs_curve_speedup(c, i), 100 * cs_curve_efficiency(c, i));
        print_inside(p);
    }
}

/* Shares of the longest parts, a column for each point; of many points only the last ones. */
static void print_parts(const struct cs_curve *c)
{
    struct cs_normal_form f;
    char text[160];
    const struct cs_prediction *last = &c->point[c->n - 1];
    int first = c->n > COLUMNS ? c->n - COLUMNS : 0, shown = 0;
    printf("\nshare of the time, on ranks:       ");
    for (int i = first; i < c->n; i++)
        printf("%9d", c->point[i].ranks);
    puts(last->nparts && formula(c, last->part[0].name, &f) ? "   time on p ranks" : "");
    for (int k = 0; k < last->nparts && shown < PARTS_SHOWN; k++) {
        double most = 0;
        for (int i = 0; i < c->n; i++)
            most = fmax(most, share(&c->point[i], cs_prediction_part(&c->point[i], last->part[k].name)));
        if (most < SHOWN)
            continue;
        printf("  ");
        cs_put_plain(stdout, last->part[k].name);
        printf("%*s", (int)strlen(last->part[k].name) < 33 ? 33 - (int)strlen(last->part[k].name) : 1, "");
        for (int i = first; i < c->n; i++)
            printf("%7.1f %%", 100 * share(&c->point[i], cs_prediction_part(&c->point[i], last->part[k].name)));
        *text = 0;
        if (formula(c, last->part[k].name, &f))
            cs_normal_form_text(&f, "s", text, sizeof text);
        printf("%s%s\n", *text ? "   " : "", text);
        shown++;
    }
}

/* All methods beside each other, and their formulas on the most ranks. */
static void print_methods(const struct cs_curve *c)
{
    if (c->point[0].all) {
        printf("\n   ranks     segments     counters     analytic\n");
        for (int i = 0; i < c->n; i++) {
            printf("%8d  %9.4g s", c->point[i].ranks, c->point[i].times.seconds);
            for (enum cs_method m = CS_METHOD_COUNTERS; m < CS_METHODS; m++)
                if (c->point[i].answer[m].known)
                    printf("  %9.4g s", c->point[i].answer[m].seconds);
                else
                    printf("            -");
            putchar('\n');
        }
    }
    cs_methods_print(&c->point[c->n - 1]);
}

static void print_outside(const struct cs_curve *c)
{
    for (int i = 0; i < c->n; i++) {
        const struct cs_prediction_part *far = farthest(&c->point[i]);
        if (far && far->counter)
            cs_print_plain(stdout, "on %d ranks, %s is %.3g times outside of what was measured, in the loop at %s",
                           c->point[i].ranks, far->name, far->outside, far->counter);
    }
}

static void print_notes(const struct cs_curve *c)
{
    bool untimed = false;
    int64_t polls = 0, not_modelled = 0;
    for (int i = 0; i < c->n; i++) {
        untimed |= !c->point[i].by_model && !c->point[i].timed;
        polls += c->point[i].times.polls;
        not_modelled += c->point[i].times.not_modelled;
    }
    if (untimed)
        puts("communication only: a trace has no times, so computation is not in it");
    if (polls)
        puts("some calls ask whether something came (MPI_Test, MPI_Iprobe): they wait for nothing here");
    if (not_modelled)
        puts("some collectives of neighbours or between groups are played without waiting");
}

void cs_curve_print(const struct cs_curve *c)
{
    double before, after;
    print_points(c);
    if (c->point[0].method == CS_METHOD_SEGMENTS)
        print_parts(c);
    print_methods(c);
    putchar('\n');
    const struct cs_prediction_part *most = grows(c, &before, &after);
    if (most)
        cs_print_plain(stdout, "grows most: %s, from %.1f %% of the time on %d ranks to %.1f %% on %d", most->name,
                       100 * before, c->point[0].ranks, 100 * after, c->point[c->n - 1].ranks);
    print_outside(c);
    print_notes(c);
}

/* ---- for programs ---- */

static void put_part(struct cs_json *j, const struct cs_prediction_part *part, double of)
{
    cs_json_open(j, NULL, '{');
    cs_json_string(j, "part", part->name);
    cs_json_string(j, "kind", part->in_calls ? "mpi" : "computation");
    cs_prediction_real(j, "mean_s", part->seconds);
    cs_prediction_real(j, "share", of);
    cs_prediction_real(j, "outside", part->outside);
    cs_json_close(j, '}');
}

static void put_point(struct cs_json *j, const struct cs_curve *c, int i)
{
    const struct cs_prediction *p = &c->point[i];
    cs_json_open(j, NULL, '{');
    cs_json_string(j, "trace", p->trace);
    cs_prediction_members(j, p);
    cs_prediction_real(j, "speedup", cs_curve_speedup(c, i));
    cs_prediction_real(j, "efficiency", cs_curve_efficiency(c, i));
    cs_prediction_real(j, "imbalance", imbalance(p));
    cs_prediction_real(j, "outside", outside(p));
    cs_json_open(j, "parts", '[');
    for (int k = 0; k < p->nparts; k++)
        put_part(j, &p->part[k], share(p, &p->part[k]));
    cs_json_close(j, ']');
    cs_json_close(j, '}');
}

/* The formula of each part of the last point, if there are points enough. */
static void put_formulas(struct cs_json *j, const struct cs_curve *c)
{
    const struct cs_prediction *last = &c->point[c->n - 1];
    struct cs_normal_form f;
    char text[160];
    cs_json_open(j, "formulas", '[');
    for (int k = 0; k < last->nparts; k++) {
        if (!formula(c, last->part[k].name, &f))
            continue;
        cs_normal_form_text(&f, "s", text, sizeof text);
        cs_json_open(j, NULL, '{');
        cs_json_string(j, "part", last->part[k].name);
        cs_json_string(j, "formula", text);
        cs_prediction_real(j, "error", f.error);
        cs_json_close(j, '}');
    }
    cs_json_close(j, ']');
}

void cs_curve_json(const struct cs_curve *c)
{
    struct cs_json j = {.out = stdout};
    double before, after;
    const struct cs_prediction_part *most = grows(c, &before, &after);
    cs_json_open(&j, NULL, '{');
    cs_json_bool(&j, "weak", c->weak);
    cs_json_string(&j, "grows", most ? most->name : NULL);
    put_formulas(&j, c);
    cs_json_open(&j, "predictions", '[');
    for (int i = 0; i < c->n; i++)
        put_point(&j, c, i);
    cs_json_close(&j, ']');
    cs_json_close(&j, '}');
    cs_json_end(&j);
}

/* A field of CSV (RFC 4180). */
static void put_field(const char *s)
{
    if (!s[strcspn(s, ",\"\r\n")]) {
        fputs(s, stdout);
        return;
    }
    putchar('"');
    for (; *s; s++) {
        if (*s == '"')
            putchar('"');
        putchar(*s);
    }
    putchar('"');
}

void cs_curve_csv(const struct cs_curve *c)
{
    printf("trace,ranks,predicted_s,least_s,most_s,computation_mean_s,computation_most_s,in_calls_mean_s,speedup,"
           "efficiency,outside%s\n",
           c->point[0].all ? ",counters_s,analytic_s" : "");
    for (int i = 0; i < c->n; i++) {
        const struct cs_prediction *p = &c->point[i];
        put_field(p->trace);
        printf(",%d,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.6f,%.6f,%.4f", p->ranks, p->times.seconds, p->least, p->most,
               p->computed_mean, p->computed_most, p->in_calls_mean, cs_curve_speedup(c, i), cs_curve_efficiency(c, i),
               outside(p));
        for (enum cs_method m = CS_METHOD_COUNTERS; m < CS_METHODS && p->all; m++)
            p->answer[m].known ? printf(",%.9f", p->answer[m].seconds) : printf(",");
        putchar('\n');
    }
}

void cs_curve_parts_csv(const struct cs_curve *c)
{
    puts("trace,ranks,part,kind,mean_s,share,outside");
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->point[i].nparts; k++) {
            const struct cs_prediction_part *part = &c->point[i].part[k];
            put_field(c->point[i].trace);
            printf(",%d,", c->point[i].ranks);
            put_field(part->name);
            printf(",%s,%.9f,%.6f,%.4f\n", part->in_calls ? "mpi" : "computation", part->seconds,
                   share(&c->point[i], part), part->outside);
        }
}
