/* SPDX-License-Identifier: BSD-3-Clause
 * Coordinate descent (Friedman, Hastie, Tibshirani, J. Statistical Software 33(1), 2010): each coefficient in turn gets
 * its best value while the others stay, until none moves. */
#include "predict/regression/lasso.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 1000000
/* A move that changes x b by less than this share of |y| is none. */
#define STILL 1e-13

/* The value nearest to zero that is no farther than `weight` from v. */
static double shrink(double v, double weight)
{
    return v > weight ? v - weight : v < -weight ? v + weight : 0;
}

static double square_sum(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

/* Gives the coefficient of one column its best value; `rest` is y - x b. Returns how far x b moved. */
static double descend(const double *column, int rows, double weight, double *b, double *rest)
{
    double length = square_sum(column, rows), along = 0;
    if (length == 0)
        return 0;
    for (int i = 0; i < rows; i++)
        along += column[i] * rest[i];
    double change = shrink(along + length * *b, weight * rows) / length - *b;
    for (int i = 0; i < rows; i++)
        rest[i] -= change * column[i];
    *b += change;
    return fabs(change) * sqrt(length);
}

int cs_lasso(const struct cs_matrix *x, const double *y, double weight, double *b)
{
    assert(x->rows > 0 && x->cols > 0 && weight >= 0);
    double still = STILL * sqrt(square_sum(y, x->rows)), moved = INFINITY;
    double *rest = malloc((size_t)x->rows * sizeof *rest);
    if (!rest)
        return -1;
    memcpy(rest, y, (size_t)x->rows * sizeof *rest);
    memset(b, 0, (size_t)x->cols * sizeof *b);
    for (int round = 0; round < MOST_ROUNDS && moved > still; round++) {
        moved = 0;
        for (int j = 0; j < x->cols; j++)
            moved = fmax(moved, descend(cs_column(x, j), x->rows, weight, &b[j], rest));
    }
    free(rest);
    if (moved <= still)
        return 0;
    errno = EDOM;
    return -1;
}
