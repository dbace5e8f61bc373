/* SPDX-License-Identifier: BSD-3-Clause
 * Both methods are one call of LAPACK's dgelsd. Ridge is least squares with one more row for each feature, in which
 * only that feature stands, times the root of the weight, and the answer is zero. */
#include "predict/regression/least_squares.h"

#include <assert.h>
#include <errno.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Singular values below this share of the largest are zero. */
#define RANK_SHARE 1e-12

int cs_least_squares(const struct cs_matrix *x, const double *y, double *b)
{
    return cs_ridge(x, y, 0, b);
}

/* Copies x and y, which LAPACK overwrites, and adds ridge's rows below. */
static void fill(const struct cs_matrix *x, const double *y, double root, int rows, double *a, double *answer)
{
    for (int j = 0; j < x->cols; j++) {
        memcpy(a + (size_t)j * (size_t)rows, cs_column(x, j), (size_t)x->rows * sizeof *a);
        if (rows > x->rows)
            a[(size_t)j * (size_t)rows + (size_t)(x->rows + j)] = root;
    }
    memcpy(answer, y, (size_t)x->rows * sizeof *answer);
}

int cs_ridge(const struct cs_matrix *x, const double *y, double weight, double *b)
{
    assert(x->rows > 0 && x->cols > 0 && weight >= 0);
    int rows = weight > 0 ? x->rows + x->cols : x->rows;
    int longest = rows > x->cols ? rows : x->cols, rank;
    double *a = calloc((size_t)rows * (size_t)x->cols, sizeof *a);
    double *answer = calloc((size_t)longest, sizeof *answer);
    double *singular = calloc((size_t)longest, sizeof *singular);
    int result = -1;
    if (a && answer && singular) {
        fill(x, y, sqrt(weight), rows, a, answer);
        lapack_int info =
            LAPACKE_dgelsd(LAPACK_COL_MAJOR, rows, x->cols, 1, a, rows, answer, longest, singular, RANK_SHARE, &rank);
        result = info == 0 ? 0 : -1;
        errno = info == LAPACK_WORK_MEMORY_ERROR ? ENOMEM : EDOM;
        if (info == 0)
            memcpy(b, answer, (size_t)x->cols * sizeof *b);
    }
    free(a);
    free(answer);
    free(singular);
    return result;
}
