/* SPDX-License-Identifier: BSD-3-Clause
 * Regression against published coefficients, against naive models (every set of free features), and against the
 * conditions that only the best answer meets (Karush, Kuhn, Tucker), on random problems. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "predict/regression/lasso.h"
#include "predict/regression/least_squares.h"
#include "predict/regression/nonnegative.h"
#include "predict/regression/normal_form.h"
#include "suite.h"

#define ROWS 24
#define COLS 6

static uint64_t seed;

/* splitmix64, in -1 to 1 */
static double any(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) / (double)(1ull << 52) - 1;
}

/* y follows from the features, with coefficients of either sign, and noise. Every third problem has a feature that
 * is the sum of two others. */
static void random_problem(struct cs_matrix *x, double *y, int number)
{
    for (int i = 0; i < x->rows * x->cols; i++)
        x->at[i] = any();
    for (int i = 0; i < x->rows; i++) {
        if (number % 3 == 0)
            cs_column(x, 2)[i] = cs_column(x, 0)[i] + cs_column(x, 1)[i];
        y[i] = 0.3 * any();
        for (int j = 0; j < x->cols; j++)
            y[i] += (j % 2 ? -0.5 : 0.8) * cs_column(x, j)[i];
    }
}

/* Half of what the squared error falls by along feature j. */
static double slope(const struct cs_matrix *x, const double *y, const double *b, int j)
{
    double sum = 0;
    for (int i = 0; i < x->rows; i++) {
        double rest = y[i];
        for (int k = 0; k < x->cols; k++)
            rest -= b[k] * cs_column(x, k)[i];
        sum += rest * cs_column(x, j)[i];
    }
    return sum;
}

static double squared_error(const struct cs_matrix *x, const double *y, const double *b)
{
    double sum = 0;
    for (int i = 0; i < x->rows; i++) {
        double rest = y[i];
        for (int k = 0; k < x->cols; k++)
            rest -= b[k] * cs_column(x, k)[i];
        sum += rest * rest;
    }
    return sum;
}

/* Least squares and ridge: no way down is left. */
START_TEST(no_slope_is_left)
{
    double at[ROWS * COLS], y[ROWS], b[COLS];
    struct cs_matrix x = {ROWS, COLS, at};
    for (seed = 1; seed < 200; seed++) {
        random_problem(&x, y, _i);
        ck_assert_int_eq(cs_least_squares(&x, y, b), 0);
        for (int j = 0; j < COLS; j++)
            ck_assert_double_eq_tol(slope(&x, y, b, j), 0, 1e-10);
        ck_assert_int_eq(cs_ridge(&x, y, 2.5, b), 0);
        for (int j = 0; j < COLS; j++)
            ck_assert_double_eq_tol(slope(&x, y, b, j), 2.5 * b[j], 1e-10);
    }
}
END_TEST

/* One row, two equal features: the shortest answer shares, and so does ridge, 16 / (8 + 2) each. */
START_TEST(more_features_than_rows)
{
    double at[] = {2, 2}, y[] = {8}, b[2];
    struct cs_matrix x = {1, 2, at};
    ck_assert_int_eq(cs_least_squares(&x, y, b), 0);
    ck_assert_double_eq_tol(b[0], 2, 1e-12);
    ck_assert_double_eq_tol(b[1], 2, 1e-12);
    ck_assert_int_eq(cs_ridge(&x, y, 2, b), 0);
    ck_assert_double_eq_tol(b[0], 1.6, 1e-12);
    ck_assert_double_eq_tol(b[1], 1.6, 1e-12);
}
END_TEST

START_TEST(numbers_that_are_none)
{
    double at[] = {1, NAN}, y[] = {1, 2}, b[1];
    struct cs_matrix x = {2, 1, at};
    errno = 0;
    ck_assert_int_eq(cs_least_squares(&x, y, b), -1);
    ck_assert_int_eq(errno, EDOM);
}
END_TEST

/* The n-body program of PEMPIs-Het: each coefficient of (C3 n^2 + C2 n + C1) / p against 1/p, from the published points
 * at p = 2, 3, 4. That of C2 is printed there with the wrong sign. */
START_TEST(published_n_body)
{
    static double points[3][3] = {
        {-1.125736, 5.790233, 8.578502}, {0.000073, -0.000157, -0.000247}, {3.206325, 2.163252, 1.640802}};
    static const double published[3][2] = {{18.569761, -39.199647}, {-0.00057771, 0.0012943}, {0.0756705, 6.26157}};
    static const double digits[3][2] = {{6e-7, 6e-7}, {6e-9, 6e-8}, {6e-8, 6e-6}};
    double at[] = {1, 1, 1, 1. / 2, 1. / 3, 1. / 4}, b[2];
    struct cs_matrix x = {3, 2, at};
    for (int c = 0; c < 3; c++) {
        ck_assert_int_eq(cs_least_squares(&x, points[c], b), 0);
        for (int k = 0; k < 2; k++)
            ck_assert_double_eq_tol(b[k], published[c][k], digits[c][k]);
    }
}
END_TEST

/* Answers of NumPy (lstsq), SciPy 1.10.1 (optimize.nnls) and scikit-learn 1.2.1 (Ridge with solver svd, Lasso with tol
 * 1e-15; alpha 2.5, fit_intercept=False) to x[i][j] = (7ii + 3jj + 5ij + i) % 11, y[i] = (5ii + 2i) % 13 - 3. */
START_TEST(as_known_implementations)
{
    static const double known[4][4] = {{0.612471119188, 0.33070744608, 0.530688731111, -0.31150761774},
                                       {0.586597805212, 0.313790884851, 0.508795010579, -0.260615912872},
                                       {0.496973887312, 0.186528381803, 0.439316722734, 0},
                                       {0.457489528096, 0.204942588, 0.358197440076, 0}};
    double at[8 * 4], y[8], b[4][4];
    struct cs_matrix x = {8, 4, at};
    for (int i = 0; i < 8; i++) {
        y[i] = (5 * i * i + 2 * i) % 13 - 3;
        for (int j = 0; j < 4; j++)
            cs_column(&x, j)[i] = (7 * i * i + 3 * j * j + 5 * i * j + i) % 11;
    }
    ck_assert_int_eq(cs_least_squares(&x, y, b[0]), 0);
    ck_assert_int_eq(cs_ridge(&x, y, 2.5, b[1]), 0);
    ck_assert_int_eq(cs_nonnegative(&x, y, b[2]), 0);
    ck_assert_int_eq(cs_lasso(&x, y, 2.5, b[3]), 0);
    for (int m = 0; m < 4; m++)
        for (int j = 0; j < 4; j++)
            ck_assert_double_eq_tol(b[m][j], known[m][j], 1e-11);
}
END_TEST

/* The smallest error over all sets of free features whose least squares have no coefficient below zero. */
static double best_of_all_sets(const struct cs_matrix *x, const double *y)
{
    double zero[COLS] = {0}, packed[ROWS * COLS], b[COLS], best = squared_error(x, y, zero);
    for (int set = 1; set < 1 << x->cols; set++) {
        struct cs_matrix m = {x->rows, 0, packed};
        for (int j = 0; j < x->cols; j++)
            if (set >> j & 1)
                memcpy(cs_column(&m, m.cols++), cs_column(x, j), (size_t)x->rows * sizeof *packed);
        ck_assert_int_eq(cs_least_squares(&m, y, b), 0);
        bool allowed = true;
        for (int k = 0; k < m.cols; k++)
            allowed = allowed && b[k] >= 0;
        if (allowed)
            best = fmin(best, squared_error(&m, y, b));
    }
    return best;
}

START_TEST(nonnegative_is_best)
{
    double at[ROWS * COLS], y[ROWS], b[COLS];
    struct cs_matrix x = {_i == 0 ? 4 : ROWS, COLS, at};
    for (seed = 1; seed < 200; seed++) {
        random_problem(&x, y, _i);
        ck_assert_int_eq(cs_nonnegative(&x, y, b), 0);
        for (int j = 0; j < COLS; j++) {
            ck_assert(b[j] >= 0);
            ck_assert(slope(&x, y, b, j) < 1e-8);
            ck_assert(b[j] == 0 || fabs(slope(&x, y, b, j)) < 1e-8);
        }
        ck_assert_double_eq_tol(squared_error(&x, y, b), best_of_all_sets(&x, y), 1e-8);
    }
}
END_TEST

START_TEST(nonnegative_of_nothing)
{
    double at[] = {0, 0, 1, 2}, up[] = {1, 2}, down[] = {-1, -2}, b[2];
    struct cs_matrix x = {2, 2, at};
    ck_assert_int_eq(cs_nonnegative(&x, up, b), 0);
    ck_assert_double_eq(b[0], 0);
    ck_assert_double_eq_tol(b[1], 1, 1e-14);
    ck_assert_int_eq(cs_nonnegative(&x, down, b), 0);
    ck_assert_double_eq(b[0], 0);
    ck_assert_double_eq(b[1], 0);
}
END_TEST

START_TEST(lasso_is_best)
{
    double at[ROWS * COLS], y[ROWS], b[COLS], weight = 0.15 + 0.05 * _i;
    struct cs_matrix x = {ROWS, COLS, at};
    int left_out = 0;
    for (seed = 1; seed < 100; seed++) {
        random_problem(&x, y, 1);
        ck_assert_int_eq(cs_lasso(&x, y, weight, b), 0);
        for (int j = 0; j < COLS; j++) {
            double s = slope(&x, y, b, j) / ROWS;
            ck_assert(fabs(s) <= weight + 1e-9);
            ck_assert(b[j] == 0 || fabs(s - copysign(weight, b[j])) < 1e-9);
            left_out += b[j] == 0;
        }
    }
    ck_assert_int_gt(left_out, 0);
}
END_TEST

/* Features at right angles: each coefficient is that of least squares, nearer to zero by the weight. */
START_TEST(lasso_by_hand)
{
    double at[] = {1, 1, -1, -1, 1, -1, 1, -1}, y[] = {3.5, 2.5, -2.5, -3.5}, b[2];
    struct cs_matrix x = {4, 2, at};
    ck_assert_int_eq(cs_lasso(&x, y, 1, b), 0);
    ck_assert_double_eq_tol(b[0], 2, 1e-12);
    ck_assert_double_eq(b[1], 0);
}
END_TEST

/* Points of a form give that form, and tell others. */
START_TEST(normal_form_is_found)
{
    static const struct {
        double c, a, up;
        int logs;
        const char *text;
    } form[] = {{0.25, 0, 0, 0, "0.25 s"},
                {3, 5, -1, 0, "3 s + 5 s / p"},
                {0, 5, 0, 1, "5 s * log2(p)"},
                {1, 2, 0, 1, "1 s + 2 s * log2(p)"},
                {7, -0.5, 0.5, 0, "7 s - 0.5 s * p^(1/2)"},
                {0.5, 0.125, 2, 0, "0.5 s + 0.125 s * p^2"},
                {0.75, 24, -2.0 / 3, 2, "0.75 s + 24 s / p^(2/3) * log2(p)^2"}};
    static const double p[] = {2, 8, 32, 64, 256};
    struct cs_form_point v[5];
    char text[160];
    for (int i = 0; i < 5; i++)
        v[i] = (struct cs_form_point){
            p[i], 1, form[_i].c + form[_i].a * pow(p[i], form[_i].up) * pow(log2(p[i]), form[_i].logs)};
    struct cs_normal_form f = cs_normal_form_fit(v, 5);
    cs_normal_form_text(&f, "s", text, sizeof text);
    ck_assert_str_eq(text, form[_i].text);
    ck_assert_double_le(f.error, 1e-9);
    ck_assert_double_eq_tol(cs_normal_form_at(&f, 1024, 1),
                            form[_i].c + form[_i].a * pow(1024, form[_i].up) * pow(10, form[_i].logs), 1e-6);
}
END_TEST

/* Nothing at all is a constant; one point that is off is an error. */
START_TEST(normal_form_of_nothing)
{
    struct cs_form_point v[] = {{1, 1, 0}, {2, 1, 0}, {4, 1, 0}, {8, 1, 0}};
    struct cs_normal_form f = cs_normal_form_fit(v, 4);
    ck_assert_double_eq(f.a, 0);
    ck_assert_double_eq(cs_normal_form_at(&f, 1e6, 1), 0);
    for (int i = 0; i < 4; i++)
        v[i].y = i == 2 ? 9 : 1;
    ck_assert_double_gt(cs_normal_form_fit(v, 4).error, 0.1);
}
END_TEST

/* Ranks and sizes: what both have a part in is found, and what only one has. */
START_TEST(normal_form_of_two)
{
    static const struct {
        double c, a, p, n;
        int plogs, nlogs;
        const char *text;
    } form[] = {{1e-6, 1.2e-9, -1, 2, 0, 0, "1e-06 s + 1.2e-09 s * n^2 / p"},
                {0, 2e-6, -0.5, 1, 0, 0, "2e-06 s * n / p^(1/2)"},
                {0, 3e-8, -1, 1, 0, 1, "3e-08 s * n * log2(n) / p"},
                {0, 1e-6, 0, 0, 1, 0, "1e-06 s * log2(p)"},
                {0, 4e-10, 0, 3, 0, 0, "4e-10 s * n^3"}};
    struct cs_form_point v[16];
    char text[160];
    for (int i = 0; i < 16; i++) {
        double p = 4 << i % 4, n = 100 << i / 4;
        v[i] = (struct cs_form_point){p, n,
                                      form[_i].c + form[_i].a * pow(p, form[_i].p) * pow(log2(p), form[_i].plogs) *
                                                       pow(n, form[_i].n) * pow(log2(n), form[_i].nlogs)};
    }
    struct cs_normal_form f = cs_normal_form_fit(v, 16);
    cs_normal_form_text(&f, "s", text, sizeof text);
    ck_assert_str_eq(text, form[_i].text);
    /* One number of ranks, four sizes: of ranks it says nothing. */
    int k = 0;
    for (int i = 0; i < 16; i += 4)
        v[k++] = v[i];
    ck_assert(!cs_normal_form_ranks(v, k) && cs_normal_form_sizes(v, k));
    f = cs_normal_form_fit(v, k);
    ck_assert_double_eq(f.p.up, 0);
    ck_assert_double_eq_tol(cs_normal_form_at(&f, 4, 100), v[0].y, 1e-3 * v[0].y);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("regression");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, no_slope_is_left, 0, 2);
    tcase_add_test(t, more_features_than_rows);
    tcase_add_test(t, numbers_that_are_none);
    tcase_add_test(t, published_n_body);
    tcase_add_test(t, as_known_implementations);
    tcase_add_loop_test(t, nonnegative_is_best, 0, 3);
    tcase_add_test(t, nonnegative_of_nothing);
    tcase_add_loop_test(t, lasso_is_best, 0, 4);
    tcase_add_test(t, lasso_by_hand);
    tcase_add_loop_test(t, normal_form_is_found, 0, 7);
    tcase_add_test(t, normal_form_of_nothing);
    tcase_add_loop_test(t, normal_form_of_two, 0, 5);
    Suite *s = suite_create("regression");
    suite_add_tcase(s, t);
    return suite_main(s);
}
