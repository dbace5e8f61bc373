/* SPDX-License-Identifier: BSD-3-Clause
 * A time as a formula in the number of ranks p and the size of the problem n:
 *     y = c + a p^i log2(p)^j n^k log2(n)^l
 * the performance model normal form with one term (Calotoiu, Hoefler, Poke, Wolf: Using automated performance modeling
 * to find scalability bugs, SC 2013; Calotoiu et al.: Fast multi-parameter performance modeling, CLUSTER 2016), with
 * exponents of p below zero, too. */
#ifndef CS_NORMAL_FORM_H
#define CS_NORMAL_FORM_H

#include <stddef.h>

/* Different values of p or n that a formula needs at least to have that in it: one more than it has unknowns, with the
 * exponents as one. */
enum { CS_NORMAL_FORM_POINTS = 4 };

/* x^(up / down) log2(x)^logs; 1 if both are 0. */
struct cs_power {
    int up, down, logs;
};

/* a = 0: y does not depend on p and n. */
struct cs_normal_form {
    double c, a;
    struct cs_power p, n;
    double error; /* mean of |y' - y| / (|y'| + |y|), y' from the other points */
};

/* p, n >= 1. */
struct cs_form_point {
    double p, n, y;
};

/* Has the formula p, or n, in it? Where there are enough values of it. */
int cs_normal_form_ranks(const struct cs_form_point *point, int count);
int cs_normal_form_sizes(const struct cs_form_point *point, int count);
/* Fits the points, of which there are enough values of p or of n. Of all forms that one is taken which tells each point
 * best from the others; of equally good ones the first, the simplest. What has too few values is taken to be of no
 * influence. */
struct cs_normal_form cs_normal_form_fit(const struct cs_form_point *point, int count);
double cs_normal_form_at(const struct cs_normal_form *f, double p, double n);
/* "1.2e-05 s + 9.97 s / p^(2/3) * log2(p)^2 * n^2". */
void cs_normal_form_text(const struct cs_normal_form *f, const char *unit, char *buf, size_t len);

#endif
