/* SPDX-License-Identifier: BSD-3-Clause
 * Linear least squares and ridge regression by the singular values of x, so that more features than observations, or
 * features that follow from each other, have an answer: the shortest b of all that fit best. */
#ifndef CS_LEAST_SQUARES_H
#define CS_LEAST_SQUARES_H

#include "predict/regression/matrix.h"

/* Sets b[0..cols) so that |y - x b| is smallest. Returns 0, or -1 with errno: ENOMEM, or EDOM for numbers that are not
 * finite. */
int cs_least_squares(const struct cs_matrix *x, const double *y, double *b);

/* The same with |y - x b|^2 + weight * |b|^2. A constant is drawn to zero as well: centre before. */
int cs_ridge(const struct cs_matrix *x, const double *y, double weight, double *b);

#endif
