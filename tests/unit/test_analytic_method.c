/* SPDX-License-Identifier: BSD-3-Clause
 * The method `analytic` on the published programs of PEMPIs-Het (Laine, Midorikawa): n-body, whose coefficients were
 * fitted on 1 / ranks, heat, whose segments are polynomials; and outliers, choice of the form, what cannot be fitted.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "predict/methods/analytic_method.h"
#include "suite.h"

/* n-body: time = (C3 n^2 + C2 n + C1) / ranks, measured on 2, 3 and 4 ranks. */
static const double nbody[3][3] = {
    {-1.125736, 0.000073, 3.206325e-7}, {5.790233, -0.000157, 2.163252e-7}, {8.578502, -0.000247, 1.640802e-7}};

static double nbody_time(double n, int ranks)
{
    const double *c = nbody[ranks - 2];
    return (c[0] + c[1] * n + c[2] * n * n) / ranks;
}

START_TEST(published_nbody)
{
    struct cs_analytic_point p[15];
    struct cs_analytic_model m;
    for (int i = 0; i < 15; i++)
        p[i] = (struct cs_analytic_point){2000.0 * (1 + i / 3), 2 + i % 3, 0};
    for (int i = 0; i < 15; i++)
        p[i].seconds = nbody_time(p[i].size, p[i].ranks);
    ck_assert_int_eq(cs_analytic_fit(p, 15, 2, true, &m), 0);
    /* As printed: 18.569761 - 39.199647 / p; -0.00057771 + 0.0012943 / p (its sign is a misprint); 0.0756705 + 6.26157
     * / p, in 1e-7. */
    ck_assert_double_eq_tol(m.a[0], 18.569761, 1e-6);
    ck_assert_double_eq_tol(m.b[0], -39.199647, 1e-6);
    ck_assert_double_eq_tol(m.a[1], -0.00057771, 1e-8);
    ck_assert_double_eq_tol(m.b[1], 0.0012943, 1e-7);
    ck_assert_double_eq_tol(m.a[2] * 1e7, 0.0756705, 1e-6);
    ck_assert_double_eq_tol(m.b[2] * 1e7, 6.26157, 1e-5);
}
END_TEST

/* Heat was measured on 4, 5 and 6 ranks with N = 500 to 2000, step 250. */
struct heat_part {
    double (*time)(double n, int ranks);
    int degree;
    double a[3], b[3];
};

/* T_II-VI, T_sl and T_nl, as printed. */
static double step(double n, int ranks)
{
    return ranks > 0 ? 0.3425685 - 5.874e-4 * n + 2.9e-6 * n * n : 0;
}

static double sweep_line(double n, int ranks)
{
    return ranks > 0 ? -5.25e-7 + 2.39e-8 * n : 0;
}

static double all_lines(double n, int ranks)
{
    return ranks > 0 ? -3.6341e-3 - 8.1e-6 * n + 1.66e-7 * n * n : 0;
}

/* A part that is divided, to see the second round: half of all_lines on each, and half / ranks. */
static double mixed(double n, int ranks)
{
    return all_lines(n, ranks) * (0.5 + 0.5 / ranks);
}

static const struct heat_part heat[] = {
    {step, 2, {0.3425685, -5.874e-4, 2.9e-6}, {0, 0, 0}},
    {sweep_line, 1, {-5.25e-7, 2.39e-8, 0}, {0, 0, 0}},
    {all_lines, 2, {-3.6341e-3, -8.1e-6, 1.66e-7}, {0, 0, 0}},
    {mixed, 2, {-1.81705e-3, -4.05e-6, 0.83e-7}, {-1.81705e-3, -4.05e-6, 0.83e-7}},
};

START_TEST(published_heat)
{
    const struct heat_part *h = &heat[_i];
    struct cs_analytic_point p[21];
    struct cs_analytic_model m;
    for (int i = 0; i < 21; i++) {
        p[i] = (struct cs_analytic_point){500 + 250.0 * (i / 3), 4 + i % 3, 0};
        p[i].seconds = h->time(p[i].size, p[i].ranks);
    }
    ck_assert_int_eq(cs_analytic_fit(p, 21, h->degree, false, &m), 0);
    for (int k = 0; k <= h->degree; k++) {
        ck_assert_double_eq_tol(m.a[k] / h->a[k], 1, 1e-6);
        ck_assert_double_eq_tol((m.b[k] - h->b[k]) / h->a[k], 0, 1e-5);
    }
    ck_assert_double_eq_tol(cs_analytic_time(&m, 4000, 12) / h->time(4000, 12), 1, 1e-6);
}
END_TEST

/* The table of heat: estimated, measured, printed error; N = 2000 to 4000 step 500, on 6, 8, 10 and 12 ranks. */
static const double table[5][4][3] = {
    {{14.938, 15.338, -2.61}, {14.93, 14.745, 1.27}, {14.926, 14.786, 0.95}, {14.92, 14.866, 0.36}},
    {{23.527, 24.653, -4.57}, {23.52, 23.914, -1.64}, {23.515, 23.790, -1.16}, {23.51, 23.953, -1.85}},
    {{34.090, 39.021, -12.64}, {34.08, 38.682, -11.89}, {34.078, 38.415, -11.29}, {34.07, 39.505, -13.75}},
    {{46.627, 53.137, -12.25}, {46.62, 52.547, -11.28}, {46.616, 51.727, -9.88}, {46.61, 53.014, -12.08}},
    {{61.139, 68.420, -10.64}, {61.13, 68.080, -10.20}, {61.128, 66.836, -8.54}, {61.12, 67.253, -9.12}}};

/* Estimates of the table are of the method's form: a polynomial of degree 2, and a part with 1 / ranks. So it finds
 * them again within what is printed, and the errors against what was measured with them. */
START_TEST(published_table)
{
    static const int ranks[] = {6, 8, 10, 12};
    struct cs_analytic_point p[20];
    struct cs_analytic_model m;
    for (int i = 0; i < 20; i++)
        p[i] = (struct cs_analytic_point){2000 + 500.0 * (i / 4), ranks[i % 4], table[i / 4][i % 4][0]};
    ck_assert_int_eq(cs_analytic_fit(p, 20, 2, false, &m), 0);
    for (int i = 0; i < 20; i++) {
        double estimated = cs_analytic_time(&m, p[i].size, p[i].ranks);
        ck_assert_double_eq_tol(estimated, p[i].seconds, 0.006);
        ck_assert_double_eq_tol(100 * (estimated / table[i / 4][i % 4][1] - 1), table[i / 4][i % 4][2], 0.06);
    }
}
END_TEST

START_TEST(outliers_dropped)
{
    double times[] = {1.02, 0.98, 1, 9, 1.01, 0.99, 0.1}, two[] = {1, 3}, even[] = {1, 2, 3, 100},
           same[] = {5, 5, 5, 6};
    ck_assert_double_eq_tol(cs_analytic_select(times, 7), 1, 1e-12);
    ck_assert_double_eq_tol(cs_analytic_select(two, 2), 2, 1e-12);
    ck_assert_double_eq_tol(cs_analytic_select(even, 4), 2, 1e-12);
    ck_assert_double_eq_tol(cs_analytic_select(same, 4), 5, 1e-12);
    ck_assert_double_eq_tol(cs_analytic_select(two, 1), 1, 1e-12);
}
END_TEST

/* The form that made the times is found. */
START_TEST(chooses_the_form)
{
    struct cs_analytic_point p[12];
    struct cs_analytic_model m;
    double error;
    for (int i = 0; i < 12; i++) {
        p[i] = (struct cs_analytic_point){100.0 * (1 + i % 3), 1 << i / 3, 0};
        p[i].seconds = (2 + 0.01 * p[i].size * p[i].size) * (1 + 3.0 / p[i].ranks) / p[i].ranks;
    }
    ck_assert_int_eq(cs_analytic_choose(p, 12, &m, &error), 0);
    ck_assert_int_eq(m.degree, 2);
    ck_assert(m.divided);
    ck_assert_double_lt(error, 1e-6);
    ck_assert_double_eq_tol(cs_analytic_time(&m, 1000, 64), 10002 * (1 + 3.0 / 64) / 64, 1e-4);
}
END_TEST

/* Two numbers of ranks: all points are needed for degree 1; they check degree 0. One: there is none. */
START_TEST(too_few)
{
    struct cs_analytic_point p[] = {{10, 1, 4}, {20, 1, 8}, {10, 2, 2}, {20, 2, 4}};
    struct cs_analytic_model m;
    double error;
    ck_assert_int_eq(cs_analytic_choose(p, 4, &m, &error), 0);
    ck_assert_int_eq(m.degree, 0);
    ck_assert_double_gt(error, 0.1);
    ck_assert_int_eq(cs_analytic_fit(p, 4, 1, false, &m), 0);
    ck_assert_double_eq_tol(cs_analytic_time(&m, 40, 4), 4, 1e-9);
    ck_assert_int_eq(cs_analytic_choose(p + 1, 2, &m, &error), 0);
    ck_assert_double_lt(error, 0);
    ck_assert_int_eq(cs_analytic_choose(p, 2, &m, &error), -1);
    ck_assert_int_eq(errno, EDOM);
    ck_assert_int_eq(cs_analytic_fit(p, 4, 2, false, &m), -1);
    p[1].seconds = NAN;
    ck_assert_int_eq(cs_analytic_fit(p, 4, 1, false, &m), -1);
    ck_assert_int_eq(errno, EDOM);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("analytic");
    tcase_add_test(t, published_nbody);
    tcase_add_loop_test(t, published_heat, 0, sizeof heat / sizeof *heat);
    tcase_add_test(t, published_table);
    tcase_add_test(t, outliers_dropped);
    tcase_add_test(t, chooses_the_form);
    tcase_add_test(t, too_few);
    Suite *s = suite_create("analytic");
    suite_add_tcase(s, t);
    return suite_main(s);
}
