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

static int by_size_and_ranks(const void *a, const void *b)
{
    const struct cs_prediction *x = a, *y = b;
    if (x->size != y->size)
        return (x->size > y->size) - (x->size < y->size);
    return x->ranks != y->ranks ? (x->ranks > y->ranks) - (x->ranks < y->ranks) : strcmp(x->trace, y->trace);
}

void cs_curve_sort(struct cs_curve *c)
{
    qsort(c->point, (size_t)c->n, sizeof *c->point, by_size_and_ranks);
}

/* The first point of the same size. */
static const struct cs_prediction *first_of(const struct cs_curve *c, int i)
{
    while (i > 0 && c->point[i - 1].size == c->point[i].size)
        i--;
    return &c->point[i];
}

double cs_curve_speedup(const struct cs_curve *c, int i)
{
    const struct cs_prediction *first = first_of(c, i);
    double times = c->point[i].times.seconds > 0 ? first->times.seconds / c->point[i].times.seconds : 0;
    return c->weak ? times * c->point[i].ranks / first->ranks : times;
}

double cs_curve_efficiency(const struct cs_curve *c, int i)
{
    return cs_curve_speedup(c, i) * first_of(c, i)->ranks / c->point[i].ranks;
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

static const struct cs_prediction *grows_from(const struct cs_curve *c)
{
    const struct cs_prediction *first = first_of(c, c->n - 1);
    return first == &c->point[c->n - 1] ? &c->point[0] : first;
}

/* The part whose share of the time grows most from the first to the last point of the largest size; NULL: none does. */
static const struct cs_prediction_part *grows(const struct cs_curve *c, double *before, double *after)
{
    const struct cs_prediction *last = &c->point[c->n - 1], *first = grows_from(c);
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

/* Are there two points of the same ranks and size? Then they differ in what nobody named. */
static bool twice(const struct cs_form_point *v, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (v[k].p == v[i].p && v[k].n == v[i].n)
                return true;
    return false;
}

/* Of ranks, or sizes, of which there are too few for a formula only the last are kept. */
static int keep_last(struct cs_form_point *v, int n, bool ranks)
{
    int kept = 0;
    struct cs_form_point last = v[n - 1];
    if (ranks ? cs_normal_form_ranks(v, n) : cs_normal_form_sizes(v, n))
        return n;
    for (int i = 0; i < n; i++)
        if (ranks ? v[i].p == last.p : v[i].n == last.n)
            v[kept++] = v[i];
    return kept;
}

/* A part's time as a formula in the ranks, in the size, or in both. False: there are too few points, or it is nothing.
 */
static bool formula(const struct cs_curve *c, const char *part, struct cs_normal_form *f)
{
    struct cs_form_point *v = malloc((size_t)c->n * sizeof *v);
    double most = 0;
    int n = v ? c->n : 0;
    for (int i = 0; i < n; i++) {
        const struct cs_prediction_part *at = cs_prediction_part(&c->point[i], part);
        v[i] = (struct cs_form_point){c->point[i].ranks, fmax(c->point[i].size, 1), at ? at->seconds : 0};
        most = fmax(most, v[i].y);
    }
    bool can = n > 0 && most > 0 && !twice(v, n);
    if (can) {
        n = keep_last(v, n, true);
        n = keep_last(v, n, false);
        can = cs_normal_form_ranks(v, n) || cs_normal_form_sizes(v, n);
    }
    if (can)
        *f = cs_normal_form_fit(v, n);
    free(v);
    return can;
}

bool cs_curve_formula(const struct cs_curve *c, const char *part, char *text, size_t len)
{
    struct cs_normal_form f;
    bool can = formula(c, part, &f);
    if (can)
        cs_normal_form_text(&f, "s", text, len);
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
    bool sized = c->point[0].size > 0;
    printf("%s   ranks  predicted      90 %% interval           speed-up  efficiency  imbalance  in MPI  outside\n",
           sized ? "      size" : "");
    for (int i = 0; i < c->n; i++) {
        const struct cs_prediction *p = &c->point[i];
        char interval[64];
        if (sized)
            printf("%10.10g", p->size);
        snprintf(interval, sizeof interval, "%.4g to %.4g s", p->least, p->most);
        printf("%8d  %9.4g s  %-22s  %8.4g  %8.1f %%", p->ranks, p->times.seconds, p->by_model ? interval : "-",
               cs_curve_speedup(c, i), 100 * cs_curve_efficiency(c, i));
        print_inside(p);
    }
}

/* What the formulas are in. */
static const char *formula_title(const struct cs_curve *c)
{
    return c->point[0].size == c->point[c->n - 1].size ? "   time on p ranks" : "   time on p ranks, of size n";
}

/* Shares of the longest parts, a column for each point; of many points only the last ones. */
static void print_parts(const struct cs_curve *c)
{
    char text[160];
    const struct cs_prediction *last = &c->point[c->n - 1];
    int first = c->n > COLUMNS ? c->n - COLUMNS : 0, shown = 0;
    puts("");
    if (last->size > 0) {
        printf("                          of size: ");
        for (int i = first; i < c->n; i++)
            printf("%9.8g", c->point[i].size);
        puts("");
    }
    printf("share of the time, on ranks:       ");
    for (int i = first; i < c->n; i++)
        printf("%9d", c->point[i].ranks);
    puts(last->nparts && cs_curve_formula(c, last->part[0].name, text, sizeof text) ? formula_title(c) : "");
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
        bool can = cs_curve_formula(c, last->part[k].name, text, sizeof text);
        printf("%s%s\n", can ? "   " : "", can ? text : "");
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

static const char *size_text(const struct cs_prediction *p, char buf[32])
{
    *buf = 0;
    if (p->size > 0)
        snprintf(buf, 32, ", size %.10g", p->size);
    return buf;
}

static void print_outside(const struct cs_curve *c)
{
    for (int i = 0; i < c->n; i++) {
        const struct cs_prediction_part *far = farthest(&c->point[i]);
        char size[32];
        if (far && far->counter)
            cs_print_plain(stdout, "on %d ranks%s, %s is %.3g times outside of what was measured, in the loop at %s",
                           c->point[i].ranks, size_text(&c->point[i], size), far->name, far->outside, far->counter);
    }
}

static void print_notes(const struct cs_curve *c)
{
    const struct cs_prediction *worst = &c->point[0];
    bool untimed = false;
    int64_t polls = 0, not_modelled = 0;
    for (int i = 0; i < c->n; i++) {
        untimed |= !c->point[i].by_model && !c->point[i].timed;
        polls += c->point[i].times.polls;
        not_modelled += c->point[i].times.not_modelled;
    }
    for (int i = 0; i < c->n; i++)
        worst = c->point[i].uncounted > worst->uncounted ? &c->point[i] : worst;
    cs_print_uncounted(worst);
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
    char a[32], b[32];
    const struct cs_prediction *from = grows_from(c), *last = &c->point[c->n - 1];
    print_points(c);
    if (c->point[0].method == CS_METHOD_SEGMENTS)
        print_parts(c);
    print_methods(c);
    putchar('\n');
    const struct cs_prediction_part *most = grows(c, &before, &after);
    if (most)
        cs_print_plain(stdout, "grows most: %s, from %.1f %% of the time on %d ranks%s to %.1f %% on %d%s", most->name,
                       100 * before, from->ranks, size_text(from, a), 100 * after, last->ranks, size_text(last, b));
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
    bool sized = c->point[0].size > 0;
    printf("trace,ranks,predicted_s,least_s,most_s,computation_mean_s,computation_most_s,in_calls_mean_s,speedup,"
           "efficiency,outside%s%s\n",
           c->point[0].all ? ",counters_s,analytic_s" : "", sized ? ",size" : "");
    for (int i = 0; i < c->n; i++) {
        const struct cs_prediction *p = &c->point[i];
        put_field(p->trace);
        printf(",%d,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.6f,%.6f,%.4f", p->ranks, p->times.seconds, p->least, p->most,
               p->computed_mean, p->computed_most, p->in_calls_mean, cs_curve_speedup(c, i), cs_curve_efficiency(c, i),
               outside(p));
        for (enum cs_method m = CS_METHOD_COUNTERS; m < CS_METHODS && p->all; m++)
            p->answer[m].known ? printf(",%.9f", p->answer[m].seconds) : printf(",");
        if (sized)
            printf(",%.10g", p->size);
        putchar('\n');
    }
}

void cs_curve_parts_csv(const struct cs_curve *c)
{
    bool sized = c->point[0].size > 0;
    printf("trace,ranks,part,kind,mean_s,share,outside%s\n", sized ? ",size" : "");
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->point[i].nparts; k++) {
            const struct cs_prediction_part *part = &c->point[i].part[k];
            put_field(c->point[i].trace);
            printf(",%d,", c->point[i].ranks);
            put_field(part->name);
            printf(",%s,%.9f,%.6f,%.4f", part->in_calls ? "mpi" : "computation", part->seconds,
                   share(&c->point[i], part), part->outside);
            sized ? printf(",%.10g\n", c->point[i].size) : puts("");
        }
}
