/* SPDX-License-Identifier: BSD-3-Clause
 * Makes features of runs, and hands them to the methods; see whole_run.h. Of features that are in one ratio in all
 * runs, one is kept: nothing tells them apart. */
#include "predict/methods/whole_run.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ridge's weight; ratios that differ by less are one. */
static const double RIDGE = 1e-4, SAME = 1e-6;
/* So many features at most are left in the end. */
enum { MOST_FEATURES = 4 };

/* ---- what each rank counted ---- */

static bool measured(const struct cs_observations *o, int run)
{
    return o->run[run].with_times && o->run[run].whole > 0;
}

/* All that the ranks of a run count of the feature's counter or site. `count` has room for the ranks. */
static void count_ranks(const struct cs_observations *o, const struct cs_feature *f, int run, double *count)
{
    memset(count, 0, (size_t)o->run[run].nranks * sizeof *count);
    for (int i = 0; i < o->nsegments; i++) {
        const struct cs_observed_segment *s = &o->segment[i];
        if (f->site >= 0 && s->to != f->site)
            continue;
        for (int k = 0; k < s->nrows; k++) {
            const struct cs_observed_row *r = &s->row[k];
            if (r->run == run)
                count[r->rank] += r->times * (f->site >= 0 ? 1 : cs_observed_mean(r, f->counter));
        }
    }
}

static double take(const struct cs_combined *c, enum cs_feature_kind kind)
{
    switch (kind) {
    case CS_FEATURE_MOST: return c->most;
    case CS_FEATURE_LEAST: return c->least;
    case CS_FEATURE_VARIANCE: return c->variance;
    default: return c->mean;
    }
}

/* Puts all kinds of a counter's or site's feature of each run beside each other: value[run + kind * runs]. 0, or -1:
 * no memory. */
static int all_kinds(const struct cs_observations *o, struct cs_feature f, double *value)
{
    for (int run = 0; run < o->nruns; run++) {
        double *count = malloc((size_t)o->run[run].nranks * sizeof *count);
        if (!count)
            return -1;
        count_ranks(o, &f, run, count);
        struct cs_combined c = cs_combine_ranks(count, o->run[run].nranks);
        for (int kind = 0; kind < CS_FEATURE_KINDS; kind++)
            value[run + kind * o->nruns] = take(&c, (enum cs_feature_kind)kind);
        free(count);
    }
    return 0;
}

/* ---- counters ---- */

/* Features of runs, column after column, and what is done with them. */
struct table {
    const struct cs_observations *o;
    int runs, cols, cap; /* rows: measured runs; room for columns */
    double *at, *y;
    struct cs_feature *feature;
    double *value; /* scratch: one feature of all runs, all kinds */
};

/* Is the column in one ratio to one before it, or without any variation? */
static bool is_told(const struct table *t, const double *column)
{
    for (int k = -1; k < t->cols; k++) {
        const double *other = k < 0 ? NULL : t->at + (size_t)k * (size_t)t->runs;
        double ratio = NAN;
        bool same = true;
        for (int i = 0; i < t->runs && same; i++) {
            double base = other ? other[i] : 1;
            if (base == 0) {
                same = column[i] == 0;
                continue;
            }
            ratio = isnan(ratio) ? column[i] / base : ratio;
            same = fabs(column[i] / base - ratio) <= SAME * fabs(ratio);
        }
        if (same)
            return true;
    }
    return false;
}

/* Adds those kinds of a counter or site that say something new. 0, or -1: no memory. */
static int add_features(struct table *t, int counter, int site)
{
    struct cs_feature f = {CS_FEATURE_MEAN, counter, site};
    if (all_kinds(t->o, f, t->value))
        return -1;
    for (int kind = 0; kind < CS_FEATURE_KINDS; kind++) {
        double *column = t->at + (size_t)t->cols * (size_t)t->runs;
        int row = 0;
        assert(t->cols < t->cap);
        for (int run = 0; run < t->o->nruns; run++)
            if (measured(t->o, run))
                column[row++] = t->value[run + kind * t->o->nruns];
        f.kind = (enum cs_feature_kind)kind;
        if (!is_told(t, column))
            t->feature[t->cols++] = f;
    }
    return 0;
}

static int make_table(const struct cs_observations *o, struct table *t)
{
    *t = (struct table){.o = o, .cap = (o->ncounters + o->nsites) * CS_FEATURE_KINDS + 1};
    for (int run = 0; run < o->nruns; run++)
        t->runs += measured(o, run);
    t->at = malloc((size_t)t->cap * ((size_t)t->runs + 1) * sizeof *t->at);
    t->y = malloc(((size_t)t->runs + 1) * sizeof *t->y);
    t->feature = malloc((size_t)t->cap * sizeof *t->feature);
    t->value = malloc(((size_t)o->nruns + 1) * CS_FEATURE_KINDS * sizeof *t->value);
    errno = ENOMEM;
    if (!t->at || !t->y || !t->feature || !t->value)
        return -1;
    for (int run = 0, row = 0; run < o->nruns; run++)
        if (measured(o, run))
            t->y[row++] = o->run[run].whole;
    for (int i = 0; i < o->ncounters; i++)
        if (o->counter[i].counted && add_features(t, i, -1))
            return -1;
    for (int i = 0; i < o->nsites; i++)
        if (add_features(t, -1, i))
            return -1;
    return 0;
}

/* How far a fit with so many features is off the row that it has not seen, as a share; NAN: it cannot be fitted. */
static double check_row(const struct table *t, int features, int left_out)
{
    int rows = t->runs - 1;
    struct cs_matrix x = {rows, t->cols, malloc(((size_t)rows + 1) * (size_t)t->cols * sizeof *x.at)};
    double *y = malloc(((size_t)rows + 1) * sizeof *y), *seen = malloc((size_t)t->cols * sizeof *seen), off = NAN;
    struct cs_counters_model m;
    for (int i = 0, row = 0; x.at && y && seen && i < t->runs; i++) {
        for (int k = 0; k < t->cols; k++)
            *(i == left_out ? &seen[k] : &cs_column(&x, k)[row]) = t->at[(size_t)k * (size_t)t->runs + (size_t)i];
        if (i != left_out)
            y[row++] = t->y[i];
    }
    if (x.at && y && seen && !cs_counters_fit(&x, y, features, RIDGE, &m)) {
        off = cs_counters_predict(&m, seen) / t->y[left_out] - 1;
        cs_counters_free(&m);
    }
    free(x.at);
    free(y);
    free(seen);
    return off;
}

static double check(const struct table *t, int features)
{
    double sum = 0;
    for (int i = 0; i < t->runs; i++) {
        double off = check_row(t, features, i);
        sum += off * off;
    }
    return isnan(sum) ? INFINITY : sqrt(sum / t->runs);
}

/* The number of features that predicts left-out runs best. */
static int choose(const struct table *t, double *error)
{
    int best = 1;
    *error = -1;
    for (int n = 1; n <= MOST_FEATURES && 2 * n < t->runs; n++) {
        double e = check(t, n);
        if (*error < 0 || e < *error) {
            best = n;
            *error = e;
        }
    }
    return best;
}

static int fit_table(struct table *t, struct cs_whole_counters *w)
{
    struct cs_matrix x = {t->runs, t->cols, t->at};
    errno = EDOM;
    if (t->runs == 0 || t->cols == 0)
        return -1;
    int n = choose(t, &w->error);
    if (cs_counters_fit(&x, t->y, n, RIDGE, &w->fit))
        return -1;
    w->nfeatures = t->cols;
    w->feature = t->feature;
    t->feature = NULL;
    return 0;
}

int cs_whole_counters_fit(const struct cs_observations *o, struct cs_whole_counters *w)
{
    struct table t;
    *w = (struct cs_whole_counters){0};
    int rc = make_table(o, &t) ? -1 : fit_table(&t, w), saved = errno;
    free(t.at);
    free(t.y);
    free(t.feature);
    free(t.value);
    errno = saved;
    return rc;
}

double cs_whole_counters_time(const struct cs_observations *o, const struct cs_whole_counters *w, int run)
{
    double seconds = w->fit.constant, *count = malloc((size_t)o->run[run].nranks * sizeof *count);
    for (int i = 0; count && i < w->fit.n_features; i++) {
        const struct cs_feature *f = &w->feature[w->fit.feature[i]];
        count_ranks(o, f, run, count);
        struct cs_combined c = cs_combine_ranks(count, o->run[run].nranks);
        seconds += w->fit.coefficient[i] * take(&c, f->kind);
    }
    free(count);
    return seconds;
}

void cs_whole_counters_free(struct cs_whole_counters *w)
{
    cs_counters_free(&w->fit);
    free(w->feature);
    *w = (struct cs_whole_counters){0};
}

/* ---- analytic ---- */

static double size_of(const struct cs_observations *o, int run, bool by_turns)
{
    double turns = 0;
    if (!by_turns)
        return o->run[run].size;
    for (int i = 0; i < o->nsegments; i++)
        for (int k = 0; k < o->segment[i].nrows; k++) {
            const struct cs_observed_row *r = &o->segment[i].row[k];
            for (int c = 0; c < r->ncounts && r->run == run; c++)
                turns += o->counter[r->count[c].counter].counted ? r->count[c].mean * r->times : 0;
        }
    return turns;
}

/* Runs of one size and number of ranks become one point. */
static int select_points(const struct cs_observations *o, bool by_turns, struct cs_analytic_point *p, double *repeat)
{
    int n = 0;
    for (int run = 0; run < o->nruns; run++) {
        struct cs_analytic_point one = {size_of(o, run, by_turns), o->run[run].nranks, 0};
        int repeats = 0;
        bool seen = !measured(o, run);
        for (int i = 0; i < n && !seen; i++)
            seen = p[i].ranks == one.ranks && p[i].size == one.size;
        for (int i = run; i < o->nruns && !seen; i++)
            if (measured(o, i) && o->run[i].nranks == one.ranks && size_of(o, i, by_turns) == one.size)
                repeat[repeats++] = o->run[i].whole;
        if (seen)
            continue;
        one.seconds = cs_analytic_select(repeat, repeats);
        p[n++] = one;
    }
    return n;
}

int cs_whole_analytic_fit(const struct cs_observations *o, struct cs_whole_analytic *w)
{
    struct cs_analytic_point *p = malloc(((size_t)o->nruns + 1) * sizeof *p);
    double *repeat = malloc(((size_t)o->nruns + 1) * sizeof *repeat);
    int rc = -1;
    *w = (struct cs_whole_analytic){.by_turns = true};
    for (int run = 0; run < o->nruns; run++)
        w->by_turns &= !(measured(o, run) && o->run[run].size > 0);
    errno = ENOMEM;
    if (p && repeat)
        rc = cs_analytic_choose(p, select_points(o, w->by_turns, p, repeat), &w->fit, &w->error);
    int saved = errno;
    free(p);
    free(repeat);
    errno = saved;
    return rc;
}

double cs_whole_analytic_time(const struct cs_observations *o, const struct cs_whole_analytic *w, int run)
{
    return cs_analytic_time(&w->fit, size_of(o, run, w->by_turns), o->run[run].nranks);
}
