/* SPDX-License-Identifier: BSD-3-Clause
 * The active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23). Features are free or
 * held at zero. The held one that lowers the error fastest becomes free; while least squares over the free ones has a
 * coefficient below zero, b moves towards it as far as none falls below zero, and what is zero there is held. */
#include "predict/regression/nonnegative.h"
#include "predict/regression/least_squares.h"

#include <assert.h>
#include <errno.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A slope below this share of |column| * |y| is rounding. */
#define FLAT 1e-10

/* b is the answer so far, goal that of least squares over the n_free free features alone. */
struct active_set {
    const struct cs_matrix *x;
    const double *y;
    double *b, *goal;
    double *packed, *part; /* columns of the free features, and their coefficients */
    double *rest;          /* y - x b */
    bool *is_free;
};

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void update_rest(struct active_set *s)
{
    memcpy(s->rest, s->y, (size_t)s->x->rows * sizeof *s->rest);
    for (int j = 0; j < s->x->cols; j++)
        for (int i = 0; i < s->x->rows && s->b[j] > 0; i++)
            s->rest[i] -= s->b[j] * cs_column(s->x, j)[i];
}

/* The held feature along which the error falls fastest for its length, or -1. */
static int steepest(const struct active_set *s)
{
    int best = -1, n = s->x->rows;
    double best_slope = FLAT * sqrt(dot(s->y, s->y, n));
    for (int j = 0; j < s->x->cols; j++) {
        double length = sqrt(dot(cs_column(s->x, j), cs_column(s->x, j), n));
        double slope = length > 0 ? dot(cs_column(s->x, j), s->rest, n) / length : 0;
        if (!s->is_free[j] && slope > best_slope) {
            best_slope = slope;
            best = j;
        }
    }
    return best;
}

static int find_goal(struct active_set *s)
{
    struct cs_matrix m = {.rows = s->x->rows, .at = s->packed};
    for (int j = 0; j < s->x->cols; j++)
        if (s->is_free[j])
            memcpy(cs_column(&m, m.cols++), cs_column(s->x, j), (size_t)m.rows * sizeof *m.at);
    memset(s->goal, 0, (size_t)s->x->cols * sizeof *s->goal);
    if (m.cols == 0)
        return 0;
    if (cs_least_squares(&m, s->y, s->part))
        return -1;
    for (int j = 0, k = 0; j < s->x->cols; j++)
        if (s->is_free[j])
            s->goal[j] = s->part[k++];
    return 0;
}

/* Moves b towards the goal. Returns whether a feature stopped it, which is held from then on. */
static bool move(struct active_set *s)
{
    double step = 1;
    int stop = -1;
    for (int j = 0; j < s->x->cols; j++)
        if (s->is_free[j] && s->goal[j] <= 0 && s->b[j] / (s->b[j] - s->goal[j]) < step) {
            step = s->b[j] / (s->b[j] - s->goal[j]);
            stop = j;
        }
    for (int j = 0; j < s->x->cols; j++) {
        s->b[j] += step * (s->goal[j] - s->b[j]);
        if (j == stop || s->b[j] <= 0) {
            s->is_free[j] = false;
            s->b[j] = 0;
        }
    }
    return stop >= 0;
}

static int solve(struct active_set *s)
{
    for (int round = 0; round < 3 * s->x->cols + 10; round++) {
        update_rest(s);
        int next = steepest(s);
        if (next < 0)
            return 0;
        s->is_free[next] = true;
        do
            if (find_goal(s))
                return -1;
        while (move(s));
    }
    errno = EDOM;
    return -1;
}

static int solve_rows(const struct cs_matrix *x, const double *y, double *b)
{
    size_t rows = (size_t)x->rows, cols = (size_t)x->cols;
    struct active_set s = {.x = x, .y = y, .b = b};
    int result = -1;
    memset(b, 0, cols * sizeof *b);
    s.goal = malloc(cols * sizeof *s.goal);
    s.part = malloc(cols * sizeof *s.part);
    s.packed = malloc(rows * cols * sizeof *s.packed);
    s.rest = malloc(rows * sizeof *s.rest);
    s.is_free = calloc(cols, sizeof *s.is_free);
    if (s.goal && s.part && s.packed && s.rest && s.is_free)
        result = solve(&s);
    else
        errno = ENOMEM;
    free(s.goal);
    free(s.part);
    free(s.packed);
    free(s.rest);
    free(s.is_free);
    return result;
}

/* Many rows become as many as there are columns, and one for y, of the same lengths and angles: R of x and y = QR. Each
 * step of the method costs less by as much. */
static int solve_few_rows(const struct cs_matrix *x, const double *y, double *b)
{
    int n = x->cols + 1;
    size_t rows = (size_t)x->rows, few = (size_t)n;
    double *all = malloc(rows * few * sizeof *all), *r = calloc(few * few, sizeof *r), *tau = malloc(few * sizeof *tau);
    int result = -1;
    lapack_int info = LAPACK_WORK_MEMORY_ERROR;
    if (all && r && tau) {
        memcpy(all, x->at, rows * (few - 1) * sizeof *all);
        memcpy(all + rows * (few - 1), y, rows * sizeof *all);
        info = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, x->rows, n, all, x->rows, tau);
    }
    for (int j = 0; j < n && info == 0; j++)
        memcpy(r + (size_t)j * few, all + (size_t)j * rows, (size_t)(j + 1) * sizeof *r);
    if (info == 0)
        result = solve_rows(&(struct cs_matrix){n, x->cols, r}, r + few * (few - 1), b);
    else
        errno = info == LAPACK_WORK_MEMORY_ERROR ? ENOMEM : EDOM;
    free(all);
    free(r);
    free(tau);
    return result;
}

int cs_nonnegative(const struct cs_matrix *x, const double *y, double *b)
{
    assert(x->rows > 0 && x->cols > 0);
    return x->rows > 2 * (x->cols + 1) ? solve_few_rows(x, y, b) : solve_rows(x, y, b);
}
