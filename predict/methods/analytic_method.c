/* SPDX-License-Identifier: BSD-3-Clause
 * Two rounds of least squares; see analytic_method.h. Sizes are divided by the largest one while they are fitted, so
 * that powers of them are of one scale. */
#include "predict/methods/analytic_method.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict/regression/least_squares.h"

/* Degrees that are tried; how much better a form must be than one before it. */
enum { DEGREES_TRIED = CS_ANALYTIC_DEGREE + 1 };
static const double BETTER = 0.99;

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(const double *sorted, int n)
{
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The median distance of sorted values from v: the lower and the upper ones are walked from the inside out. */
static double median_distance(const double *sorted, int n, double v)
{
    int low = 0, high;
    while (low < n && sorted[low] < v)
        low++;
    high = low--;
    double d = 0, before = 0;
    for (int i = 0; i <= n / 2; i++) {
        bool lower = low >= 0 && (high >= n || v - sorted[low] <= sorted[high] - v);
        before = d;
        d = lower ? v - sorted[low--] : sorted[high++] - v;
    }
    return n % 2 ? d : (before + d) / 2;
}

double cs_analytic_select(double *seconds, int n)
{
    assert(n > 0);
    qsort(seconds, (size_t)n, sizeof *seconds, by_value);
    double middle = median(seconds, n), far = 3 * 1.4826 * median_distance(seconds, n, middle), sum = 0;
    int used = 0;
    for (int i = 0; i < n; i++)
        if (fabs(seconds[i] - middle) <= far) {
            sum += seconds[i];
            used++;
        }
    return used ? sum / used : middle;
}

/* ---- fitting ---- */

/* Coefficients of one number of ranks. */
struct group {
    int ranks;
    double c[CS_ANALYTIC_DEGREE + 1];
};

/* Points while they are fitted; the one that is left out, if any, is not used. */
struct fitting {
    const struct cs_analytic_point *p;
    int n, left_out;
    double largest; /* size */
    struct group *group;
    int ngroups;
    double *at, *y; /* scratch */
};

static bool has_group(const struct fitting *f, int ranks)
{
    for (int i = 0; i < f->ngroups; i++)
        if (f->group[i].ranks == ranks)
            return true;
    return false;
}

static bool used(const struct fitting *f, int i, int ranks)
{
    return i != f->left_out && f->p[i].ranks == ranks;
}

static int sizes_of(const struct fitting *f, int ranks)
{
    int sizes = 0;
    for (int i = 0; i < f->n; i++) {
        bool seen = !used(f, i, ranks);
        for (int k = 0; k < i && !seen; k++)
            seen = used(f, k, ranks) && f->p[k].size == f->p[i].size;
        sizes += !seen;
    }
    return sizes;
}

/* The polynomial of one number of ranks. */
static int fit_group(struct fitting *f, int ranks, int degree, bool divided)
{
    struct cs_matrix x = {.cols = degree + 1, .at = f->at};
    for (int i = 0; i < f->n; i++)
        if (used(f, i, ranks))
            f->y[x.rows++] = f->p[i].seconds * (divided ? ranks : 1);
    for (int k = 0; k <= degree; k++)
        for (int i = 0, row = 0; i < f->n; i++)
            if (used(f, i, ranks))
                cs_column(&x, k)[row++] = pow(f->p[i].size / f->largest, k);
    f->group[f->ngroups].ranks = ranks;
    return cs_least_squares(&x, f->y, f->group[f->ngroups++].c);
}

/* One coefficient against 1 / ranks. */
static int fit_coefficient(struct fitting *f, int k, struct cs_analytic_model *m)
{
    struct cs_matrix x = {f->ngroups, 2, f->at};
    double b[2];
    for (int i = 0; i < f->ngroups; i++) {
        cs_column(&x, 0)[i] = 1;
        cs_column(&x, 1)[i] = 1.0 / f->group[i].ranks;
        f->y[i] = f->group[i].c[k];
    }
    if (cs_least_squares(&x, f->y, b))
        return -1;
    m->a[k] = b[0] / pow(f->largest, k);
    m->b[k] = b[1] / pow(f->largest, k);
    return 0;
}

static int fit(struct fitting *f, int degree, bool divided, struct cs_analytic_model *m)
{
    *m = (struct cs_analytic_model){.degree = degree, .divided = divided};
    f->ngroups = 0;
    for (int i = 0; i < f->n; i++) {
        int ranks = f->p[i].ranks;
        if (!has_group(f, ranks) && sizes_of(f, ranks) > degree && fit_group(f, ranks, degree, divided))
            return -1;
    }
    errno = EDOM;
    if (f->ngroups < 2)
        return -1;
    for (int k = 0; k <= degree; k++)
        if (fit_coefficient(f, k, m))
            return -1;
    return 0;
}

static bool prepare(struct fitting *f, const struct cs_analytic_point *p, int n)
{
    size_t most = (size_t)n + 1;
    *f = (struct fitting){.p = p, .n = n, .left_out = -1, .largest = 0};
    f->group = calloc(most, sizeof *f->group);
    f->at = malloc(most * (CS_ANALYTIC_DEGREE + 2) * sizeof *f->at);
    f->y = malloc(most * sizeof *f->y);
    for (int i = 0; i < n; i++)
        f->largest = fmax(f->largest, p[i].size);
    f->largest = f->largest > 0 ? f->largest : 1;
    errno = ENOMEM;
    return f->group && f->at && f->y;
}

static void end(struct fitting *f)
{
    int saved = errno;
    free(f->group);
    free(f->at);
    free(f->y);
    errno = saved;
}

int cs_analytic_fit(const struct cs_analytic_point *p, int n, int degree, bool divided, struct cs_analytic_model *m)
{
    struct fitting f;
    assert(degree >= 0 && degree <= CS_ANALYTIC_DEGREE);
    int rc = prepare(&f, p, n) ? fit(&f, degree, divided, m) : -1;
    end(&f);
    return rc;
}

/* ---- choosing ---- */

/* How far the form is off points that are left out in turn, root mean square; those without which it cannot be fitted
 * are not asked. INFINITY: none is left. */
static double check(struct fitting *f, int degree, bool divided)
{
    struct cs_analytic_model m;
    double sum = 0;
    int asked = 0;
    for (int i = 0; i < f->n; i++) {
        f->left_out = i;
        if (fit(f, degree, divided, &m))
            continue;
        double e = cs_analytic_time(&m, f->p[i].size, f->p[i].ranks) / f->p[i].seconds - 1;
        sum += e * e;
        asked++;
    }
    f->left_out = -1;
    return asked ? sqrt(sum / asked) : INFINITY;
}

static int choose(struct fitting *f, struct cs_analytic_model *m, double *error)
{
    int best = -1, highest = -1;
    *error = INFINITY;
    for (int form = 0; form < 2 * DEGREES_TRIED; form++) {
        struct cs_analytic_model one;
        if (fit(f, form / 2, form % 2, &one))
            continue;
        highest = form / 2 * 2; /* nothing can check it: then not divided */
        double e = check(f, form / 2, form % 2);
        if (e < BETTER * *error) {
            best = form;
            *error = e;
        }
    }
    if (best < 0) {
        best = highest;
        *error = -1;
    }
    errno = EDOM;
    return best < 0 ? -1 : fit(f, best / 2, best % 2, m);
}

int cs_analytic_choose(const struct cs_analytic_point *p, int n, struct cs_analytic_model *m, double *error)
{
    struct fitting f;
    int rc = prepare(&f, p, n) ? choose(&f, m, error) : -1;
    end(&f);
    return rc;
}

double cs_analytic_time(const struct cs_analytic_model *m, double size, int ranks)
{
    double seconds = 0;
    for (int k = m->degree; k >= 0; k--)
        seconds = seconds * size + m->a[k] + m->b[k] / ranks;
    return m->divided ? seconds / ranks : seconds;
}
