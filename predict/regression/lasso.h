/* SPDX-License-Identifier: BSD-3-Clause
 * The lasso: least squares that leaves features out, the more of them the larger the weight. */
#ifndef CS_LASSO_H
#define CS_LASSO_H

#include "predict/regression/matrix.h"

/* Sets b so that |y - x b|^2 / (2 rows) + weight * (sum of |b[j]|) is smallest. There is no constant: centre before.
 * Returns 0, or -1 with errno ENOMEM, or EDOM if it does not converge. */
int cs_lasso(const struct cs_matrix *x, const double *y, double weight, double *b);

#endif
