/* SPDX-License-Identifier: BSD-3-Clause
 * A time as a formula in the number of ranks: y = c + a p^i log2(p)^j, the performance model normal form with one term
 * (Calotoiu, Hoefler, Poke, Wolf: Using automated performance modeling to find scalability bugs, SC 2013), with
 * exponents below zero, too. */
#ifndef CS_NORMAL_FORM_H
#define CS_NORMAL_FORM_H

#include <stddef.h>

/* Points that a formula needs at least: one more than it has unknowns, with the exponents as one. */
enum { CS_NORMAL_FORM_POINTS = 4 };

/* i = up / down. a = 0: y does not depend on p. */
struct cs_normal_form {
    double c, a;
    int up, down, logs;
    double error; /* mean of |y' - y| / (|y'| + |y|), y' from the other points */
};

/* Fits n points, CS_NORMAL_FORM_POINTS at least, with p >= 1. Of all forms that one is taken which tells each point
 * best from the others; of equally good ones the first, the simplest. */
struct cs_normal_form cs_normal_form_fit(const double *p, const double *y, int n);
double cs_normal_form_at(const struct cs_normal_form *f, double p);
/* "1.2e-05 s + 9.97 s / p^(2/3) * log2(p)^2". */
void cs_normal_form_text(const struct cs_normal_form *f, const char *unit, char *buf, size_t len);

#endif
