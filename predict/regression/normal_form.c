/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the formula by trying all of them; see normal_form.h. */
#include "predict/regression/normal_form.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The exponents that Extra-P takes if not told otherwise; those of p are tried with the opposite sign, too. */
static const struct cs_power form[] = {
    {0, 1, 0}, {1, 1, 0}, {1, 2, 0}, {2, 1, 0}, {3, 2, 0}, {3, 1, 0},  {0, 1, 1}, {0, 1, 2}, {1, 1, 1},
    {1, 1, 2}, {1, 2, 1}, {1, 2, 2}, {2, 1, 1}, {2, 1, 2}, {3, 2, 1},  {3, 2, 2}, {1, 4, 0}, {1, 3, 0},
    {1, 4, 1}, {1, 3, 1}, {1, 4, 2}, {1, 3, 2}, {2, 3, 0}, {3, 4, 0},  {2, 3, 1}, {3, 4, 1}, {4, 5, 0},
    {2, 3, 2}, {3, 4, 2}, {5, 4, 0}, {5, 4, 1}, {4, 3, 0}, {4, 3, 1},  {5, 3, 0}, {7, 4, 0}, {9, 4, 0},
    {7, 3, 0}, {5, 2, 0}, {5, 2, 1}, {5, 2, 2}, {8, 3, 0}, {11, 4, 0}, {3, 1, 1}};
/* How many. */
enum { FORMS = sizeof form / sizeof *form };

/* By what share a form must be better than a simpler one; a constant of a smaller share of the least
 * time is none. */
static const double BETTER = 0.1, NOTHING = 1e-6;

static bool is_one(const struct cs_power *w)
{
    return w->up == 0 && w->logs == 0;
}

static double power(const struct cs_power *w, double x)
{
    return is_one(w) ? 1 : pow(x, (double)w->up / w->down) * pow(log2(x), w->logs);
}

static double term(const struct cs_normal_form *f, double p, double n)
{
    return power(&f->p, p) * power(&f->n, n);
}

double cs_normal_form_at(const struct cs_normal_form *f, double p, double n)
{
    return f->c + (f->a != 0 ? f->a * term(f, p, n) : 0);
}

/* Sums over all points, from which those without one of them follow. */
struct sums {
    double w, wx, wy, wxx, wxy;
};

static void add(struct sums *s, double x, double y, double times)
{
    double weight = times * (y > 0 ? 1 / (y * y) : 1);
    s->w += weight;
    s->wx += weight * x;
    s->wy += weight * y;
    s->wxx += weight * x * x;
    s->wxy += weight * x * y;
}

static double term_at(const struct cs_normal_form *f, const struct cs_form_point *v)
{
    return is_one(&f->p) && is_one(&f->n) ? 0 : term(f, v->p, v->n);
}

/* Least squares of c and a, relative to y. */
static void solve(struct cs_normal_form *f, const struct sums *s)
{
    double d = s->w * s->wxx - s->wx * s->wx;
    f->a = d <= 1e-12 * s->w * s->wxx ? 0 : (s->w * s->wxy - s->wx * s->wy) / d;
    f->c = (s->wy - f->a * s->wx) / s->w;
}

static struct sums sums_of(const struct cs_normal_form *f, const struct cs_form_point *v, int count)
{
    struct sums s = {0};
    for (int i = 0; i < count; i++)
        add(&s, term_at(f, &v[i]), v[i].y, 1);
    return s;
}

/* Tells each point from the others. */
static double error_of(struct cs_normal_form f, const struct cs_form_point *v, int count)
{
    double sum = 0;
    struct sums all = sums_of(&f, v, count);
    for (int i = 0; i < count; i++) {
        double x = term_at(&f, &v[i]);
        struct sums others = all;
        add(&others, x, v[i].y, -1);
        solve(&f, &others);
        double y = f.c + f.a * x, size = fabs(y) + fabs(v[i].y);
        sum += size > 0 ? fabs(y - v[i].y) / size : 0;
    }
    return sum / count;
}

static void try_form(struct cs_normal_form *best, int p, int sign, int n, const struct cs_form_point *v, int count)
{
    struct cs_normal_form f = {.p = form[p], .n = form[n]};
    f.p.up *= sign;
    f.error = error_of(f, v, count);
    if (f.error < best->error * (1 - BETTER) - 1e-12)
        *best = f;
}

/* How many values a column has, of three doubles in a row. */
static int values(const double *v, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < i && v[3 * (size_t)k] != v[3 * (size_t)i])
            k++;
        n += k == i;
    }
    return n;
}

int cs_normal_form_ranks(const struct cs_form_point *point, int count)
{
    return count > 0 && values(&point->p, count) >= CS_NORMAL_FORM_POINTS;
}

int cs_normal_form_sizes(const struct cs_form_point *point, int count)
{
    return count > 0 && values(&point->n, count) >= CS_NORMAL_FORM_POINTS;
}

struct cs_normal_form cs_normal_form_fit(const struct cs_form_point *point, int count)
{
    struct cs_normal_form best = {.error = INFINITY};
    double least = INFINITY;
    int ps = cs_normal_form_ranks(point, count) ? FORMS : 1, ns = cs_normal_form_sizes(point, count) ? FORMS : 1;
    assert(ps > 1 || ns > 1);
    /* The simplest first. */
    for (int both = 0; both <= ps - 1 + ns - 1; both++)
        for (int p = both < ns ? 0 : both - ns + 1; p < ps && p <= both; p++) {
            try_form(&best, p, 1, both - p, point, count);
            if (form[p].up)
                try_form(&best, p, -1, both - p, point, count);
        }
    struct sums s = sums_of(&best, point, count);
    solve(&best, &s);
    for (int i = 0; i < count; i++)
        least = fmin(least, fabs(point[i].y));
    if (fabs(best.c) < NOTHING * least)
        best.c = 0;
    return best;
}

/* " / p^(2/3) * log2(p)^2". */
static void power_text(const struct cs_power *w, char x, char *buf, size_t len)
{
    int up = w->up < 0 ? -w->up : w->up, n = 0;
    *buf = 0;
    if (up && w->down == 1 && up == 1)
        n = snprintf(buf, len, " %c %c", w->up < 0 ? '/' : '*', x);
    else if (up && w->down == 1)
        n = snprintf(buf, len, " %c %c^%d", w->up < 0 ? '/' : '*', x, up);
    else if (up)
        n = snprintf(buf, len, " %c %c^(%d/%d)", w->up < 0 ? '/' : '*', x, up, w->down);
    if (w->logs)
        snprintf(buf + n, len - (size_t)n, w->logs == 1 ? " * log2(%c)" : " * log2(%c)^%d", x, w->logs);
}

void cs_normal_form_text(const struct cs_normal_form *f, const char *unit, char *buf, size_t len)
{
    char p[64], n[64];
    if (f->a == 0) {
        snprintf(buf, len, "%.3g %s", f->c, unit);
        return;
    }
    power_text(&f->p, 'p', p, sizeof p);
    power_text(&f->n, 'n', n, sizeof n);
    if (f->c == 0)
        snprintf(buf, len, "%.3g %s%s%s", f->a, unit, n, p);
    else
        snprintf(buf, len, "%.3g %s %c %.3g %s%s%s", f->c, unit, f->a < 0 ? '-' : '+', fabs(f->a), unit, n, p);
}
