/* SPDX-License-Identifier: BSD-3-Clause
 * A dense matrix, column after column as LAPACK wants it: element (i, j) is at[i + j * rows].
 * What the methods of this folder share: a model is y = sum of b[j] * x[j]; a column of ones is its constant. */
#ifndef CS_MATRIX_H
#define CS_MATRIX_H

#include <stddef.h>

/* Rows are observations, columns are features. The numbers belong to whoever made the matrix. */
struct cs_matrix {
    int rows, cols;
    double *at;
};

/* The column j. */
static inline double *cs_column(const struct cs_matrix *x, int j)
{
    return x->at + (size_t)j * (size_t)x->rows;
}

#endif
