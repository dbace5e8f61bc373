/* SPDX-License-Identifier: BSD-3-Clause
 * A program's time as a function of its size and its ranks alone, as PEMPIs-Het makes it (Laine, Midorikawa): for each
 * number of ranks a polynomial in the size by least squares, then each of its coefficients against 1 / ranks. */
#ifndef CS_ANALYTIC_METHOD_H
#define CS_ANALYTIC_METHOD_H

#include <stdbool.h>

/* The highest power of the size. */
enum { CS_ANALYTIC_DEGREE = 3 };

/* A measured time. */
struct cs_analytic_point {
    double size;
    int ranks;
    double seconds;
};

/* seconds = sum of size^k * (a[k] + b[k] / ranks), k in 0..degree; all of it / ranks if `divided`. */
struct cs_analytic_model {
    int degree;
    bool divided;
    double a[CS_ANALYTIC_DEGREE + 1], b[CS_ANALYTIC_DEGREE + 1];
};

/* The mean of times of one size and number of ranks, without those that are far from the median: by more than three
 * standard deviations, as the median of all distances gives them. Sorts the times. */
double cs_analytic_select(double *seconds, int n);

/* Fits the form. Numbers of ranks with fewer sizes than degree + 1 are left out. 0, or -1 with errno: ENOMEM, or EDOM:
 * fewer than two numbers of ranks are left, or numbers are not finite. */
int cs_analytic_fit(const struct cs_analytic_point *p, int n, int degree, bool divided, struct cs_analytic_model *m);

/* Of the forms of all degrees the one that predicts best each point that is left out in turn; where all points are
 * needed to fit any, the highest degree. *error is how far it is off them, root mean square, as a share; below 0: not
 * known. 0, or -1 as above. */
int cs_analytic_choose(const struct cs_analytic_point *p, int n, struct cs_analytic_model *m, double *error);

double cs_analytic_time(const struct cs_analytic_model *m, double size, int ranks);

#endif
