/* SPDX-License-Identifier: BSD-3-Clause
 * Least squares in which no coefficient is below zero, since no piece of computation takes less than no time. */
#ifndef CS_NONNEGATIVE_H
#define CS_NONNEGATIVE_H

#include "predict/regression/matrix.h"

/* Sets b so that |y - x b| is smallest of all b >= 0. Returns 0, or -1 with errno as cs_least_squares. EDOM
 * also says that rounding keeps it from an end. */
int cs_nonnegative(const struct cs_matrix *x, const double *y, double *b);

#endif
