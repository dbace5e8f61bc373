/* SPDX-License-Identifier: BSD-3-Clause
 * A coefficient's size says how much its feature matters only if all features have one scale: each is centred and
 * divided by its standard deviation for fitting, and the coefficients are turned back at the end. */
#include "predict/methods/counters_method.h"
#include "predict/regression/least_squares.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* A deviation below this share of the mean is rounding: the feature does not vary. */
#define CONSTANT 1e-12

struct cs_combined cs_combine_ranks(const double *values, int n_ranks)
{
    assert(n_ranks > 0);
    struct cs_combined c = {.least = values[0], .most = values[0]};
    for (int i = 0; i < n_ranks; i++) {
        c.mean += values[i] / n_ranks;
        c.least = fmin(c.least, values[i]);
        c.most = fmax(c.most, values[i]);
    }
    for (int i = 0; i < n_ranks; i++)
        c.variance += (values[i] - c.mean) * (values[i] - c.mean) / n_ranks;
    return c;
}

/* A feature that is still in, on its way through the elimination. */
struct candidate {
    int feature;
    double mean, deviation, coefficient;
};

/* The fit's scratch: standardised features, times around their mean, coefficients. */
struct scratch {
    double *scaled, *centred, *b;
    struct candidate *in;
};

static int by_size(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    double d = fabs(y->coefficient) - fabs(x->coefficient);
    return d > 0 ? 1 : d < 0 ? -1 : (x->feature > y->feature) - (x->feature < y->feature);
}

/* Lists the features that vary. */
static int varying(const struct cs_matrix *x, struct candidate *in)
{
    int n = 0;
    for (int j = 0; j < x->cols; j++) {
        struct cs_combined c = cs_combine_ranks(cs_column(x, j), x->rows);
        if (sqrt(c.variance) > CONSTANT * fabs(c.mean))
            in[n++] = (struct candidate){j, c.mean, sqrt(c.variance), 0};
    }
    return n;
}

static int fit_once(const struct cs_matrix *x, int n, double weight, struct scratch *s)
{
    struct cs_matrix m = {x->rows, n, s->scaled};
    for (int k = 0; k < n; k++)
        for (int i = 0; i < x->rows; i++)
            cs_column(&m, k)[i] = (cs_column(x, s->in[k].feature)[i] - s->in[k].mean) / s->in[k].deviation;
    if (cs_ridge(&m, s->centred, weight, s->b))
        return -1;
    for (int k = 0; k < n; k++)
        s->in[k].coefficient = s->b[k];
    qsort(s->in, (size_t)n, sizeof *s->in, by_size);
    return 0;
}

static int eliminate(const struct cs_matrix *x, int n, int target, double weight, struct scratch *s)
{
    for (;;) {
        if (n > 0 && fit_once(x, n, weight, s))
            return -1;
        if (n <= target)
            return n;
        n = n / 2 > target ? n / 2 : target;
    }
}

/* Turns standardised coefficients back into those of the counters as they are. */
static int turn_back(const struct candidate *in, int n, double mean_time, struct cs_counters_model *model)
{
    *model = (struct cs_counters_model){.n_features = n, .constant = mean_time};
    model->feature = malloc(((size_t)n + 1) * sizeof *model->feature);
    model->coefficient = malloc(((size_t)n + 1) * sizeof *model->coefficient);
    if (!model->feature || !model->coefficient) {
        cs_counters_free(model);
        return -1;
    }
    for (int k = 0; k < n; k++) {
        model->feature[k] = in[k].feature;
        model->coefficient[k] = in[k].coefficient / in[k].deviation;
        model->constant -= model->coefficient[k] * in[k].mean;
    }
    return 0;
}

static int fit_with(const struct cs_matrix *x, const double *y, int target, double weight, struct scratch *s,
                    struct cs_counters_model *model)
{
    double mean = cs_combine_ranks(y, x->rows).mean;
    for (int i = 0; i < x->rows; i++)
        s->centred[i] = y[i] - mean;
    int n = eliminate(x, varying(x, s->in), target, weight, s);
    return n < 0 ? -1 : turn_back(s->in, n, mean, model);
}

int cs_counters_fit(const struct cs_matrix *x, const double *y, int target, double weight,
                    struct cs_counters_model *model)
{
    assert(x->rows > 0 && x->cols > 0 && target > 0);
    size_t rows = (size_t)x->rows, cols = (size_t)x->cols;
    struct scratch s = {malloc(rows * cols * sizeof *s.scaled), malloc(rows * sizeof *s.centred),
                        malloc(cols * sizeof *s.b), malloc(cols * sizeof *s.in)};
    int result = -1;
    if (s.scaled && s.centred && s.b && s.in)
        result = fit_with(x, y, target, weight, &s, model);
    else
        errno = ENOMEM;
    free(s.scaled);
    free(s.centred);
    free(s.b);
    free(s.in);
    return result;
}

double cs_counters_predict(const struct cs_counters_model *model, const double *counters)
{
    double time = model->constant;
    for (int k = 0; k < model->n_features; k++)
        time += model->coefficient[k] * counters[model->feature[k]];
    return time;
}

void cs_counters_free(struct cs_counters_model *model)
{
    free(model->feature);
    free(model->coefficient);
    *model = (struct cs_counters_model){0};
}
