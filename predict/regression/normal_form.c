/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the formula by trying all of them; see normal_form.h. */
#include "predict/regression/normal_form.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The exponents that Extra-P takes if not told otherwise; each is tried with the opposite sign, too. */
static const struct {
    int up, down, logs;
} form[] = {{0, 1, 0}, {1, 1, 0}, {1, 2, 0}, {2, 1, 0}, {3, 2, 0}, {3, 1, 0},  {0, 1, 1}, {0, 1, 2}, {1, 1, 1},
            {1, 1, 2}, {1, 2, 1}, {1, 2, 2}, {2, 1, 1}, {2, 1, 2}, {3, 2, 1},  {3, 2, 2}, {1, 4, 0}, {1, 3, 0},
            {1, 4, 1}, {1, 3, 1}, {1, 4, 2}, {1, 3, 2}, {2, 3, 0}, {3, 4, 0},  {2, 3, 1}, {3, 4, 1}, {4, 5, 0},
            {2, 3, 2}, {3, 4, 2}, {5, 4, 0}, {5, 4, 1}, {4, 3, 0}, {4, 3, 1},  {5, 3, 0}, {7, 4, 0}, {9, 4, 0},
            {7, 3, 0}, {5, 2, 0}, {5, 2, 1}, {5, 2, 2}, {8, 3, 0}, {11, 4, 0}, {3, 1, 1}};

/* By what share a form must be better than a simpler one; a constant of a smaller share of the term is none. */
static const double BETTER = 0.1, NOTHING = 1e-6;

static double term(const struct cs_normal_form *f, double p)
{
    return pow(p, (double)f->up / f->down) * pow(log2(p), f->logs);
}

double cs_normal_form_at(const struct cs_normal_form *f, double p)
{
    return f->c + (f->a != 0 ? f->a * term(f, p) : 0);
}

/* Least squares of c and a, relative to y, over all points but `out`. */
static void fit(struct cs_normal_form *f, const double *p, const double *y, int n, int out)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    bool constant = f->up == 0 && f->logs == 0;
    for (int i = 0; i < n; i++) {
        double x = constant ? 0 : term(f, p[i]), weight = y[i] > 0 ? 1 / (y[i] * y[i]) : 1;
        if (i == out)
            continue;
        w += weight;
        wx += weight * x;
        wy += weight * y[i];
        wxx += weight * x * x;
        wxy += weight * x * y[i];
    }
    double d = w * wxx - wx * wx;
    f->a = constant || d <= 1e-12 * w * wxx ? 0 : (w * wxy - wx * wy) / d;
    f->c = (wy - f->a * wx) / w;
}

/* Tells each point from the others. */
static double error_of(struct cs_normal_form f, const double *p, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        fit(&f, p, y, n, i);
        double v = cs_normal_form_at(&f, p[i]), size = fabs(v) + fabs(y[i]);
        sum += size > 0 ? fabs(v - y[i]) / size : 0;
    }
    return sum / n;
}

struct cs_normal_form cs_normal_form_fit(const double *p, const double *y, int n)
{
    struct cs_normal_form best = {.error = INFINITY};
    assert(n >= CS_NORMAL_FORM_POINTS);
    for (size_t k = 0; k < sizeof form / sizeof *form; k++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            struct cs_normal_form f = {.up = sign * form[k].up, .down = form[k].down, .logs = form[k].logs};
            if (sign < 0 && f.up == 0)
                continue;
            f.error = error_of(f, p, y, n);
            if (f.error < best.error * (1 - BETTER) - 1e-12)
                best = f;
        }
    fit(&best, p, y, n, -1);
    return best;
}

void cs_normal_form_text(const struct cs_normal_form *f, const char *unit, char *buf, size_t len)
{
    char power[32] = "", logs[32] = "";
    int up = f->up < 0 ? -f->up : f->up;
    if (f->a == 0) {
        snprintf(buf, len, "%.3g %s", f->c, unit);
        return;
    }
    if (up && f->down == 1 && up == 1)
        snprintf(power, sizeof power, " %c p", f->up < 0 ? '/' : '*');
    else if (up && f->down == 1)
        snprintf(power, sizeof power, " %c p^%d", f->up < 0 ? '/' : '*', up);
    else if (up)
        snprintf(power, sizeof power, " %c p^(%d/%d)", f->up < 0 ? '/' : '*', up, f->down);
    if (f->logs)
        snprintf(logs, sizeof logs, f->logs == 1 ? " * log2(p)" : " * log2(p)^%d", f->logs);
    if (fabs(f->c) < NOTHING * fabs(f->a))
        snprintf(buf, len, "%.3g %s%s%s", f->a, unit, power, logs);
    else
        snprintf(buf, len, "%.3g %s %c %.3g %s%s%s", f->c, unit, f->a < 0 ? '-' : '+', fabs(f->a), unit, power, logs);
}
