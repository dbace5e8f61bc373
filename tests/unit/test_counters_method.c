/* SPDX-License-Identifier: BSD-3-Clause
 * The method `counters`: combining ranks, elimination that finds the counters that matter whatever their units, more
 * counters than runs, counters that do not vary. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "predict/methods/counters_method.h"
#include "suite.h"

#define RUNS 12
#define COUNTERS 40

START_TEST(ranks_combined)
{
    struct cs_combined c = cs_combine_ranks((double[]){2, 4, 4, 4, 5, 5, 7, 9}, 8);
    ck_assert_double_eq_tol(c.mean, 5, 1e-14);
    ck_assert_double_eq(c.least, 2);
    ck_assert_double_eq(c.most, 9);
    ck_assert_double_eq_tol(c.variance, 4, 1e-14);
}
END_TEST

/* Counters j of run i, in units from 1 to 1e9; 7 (times 1e9) and 20 (times 1) decide the time, and 5 is the same in
 * each run. */
static double counter(int i, int j)
{
    double unit = pow(10, (j * 7) % 10);
    return j == 5 ? 1000 : unit * (1 + (i * i * (j + 3) + 5 * i * j + j) % 101);
}

static double time_of(const double *counters)
{
    return 3 + 2e-9 * counters[7] + 0.5 * counters[20];
}

static void fill(struct cs_matrix *x, double *y, int i)
{
    double row[COUNTERS];
    for (int j = 0; j < x->cols; j++)
        row[j] = counter(i, j);
    for (int j = 0; j < x->cols && i < x->rows; j++)
        cs_column(x, j)[i] = row[j];
    y[i] = time_of(row);
}

START_TEST(finds_what_matters)
{
    double *at = malloc(sizeof *at * 60 * COUNTERS), y[60], unseen[COUNTERS];
    struct cs_matrix x = {60, COUNTERS, at};
    struct cs_counters_model m;
    for (int i = 0; i < 60; i++) {
        fill(&x, y, i);
        y[i] += 0.02 * ((i * 37) % 11 - 5); /* so that all counters get a coefficient, and only its scale tells */
    }
    ck_assert_int_eq(cs_counters_fit(&x, y, 2, 1e-6, &m), 0);
    ck_assert_int_eq(m.n_features, 2);
    ck_assert_int_eq(m.feature[0] + m.feature[1], 27);
    for (int j = 0; j < COUNTERS; j++)
        unseen[j] = 3 * counter(5, j);
    ck_assert_double_eq_tol(cs_counters_predict(&m, unseen) / time_of(unseen), 1, 0.01);
    cs_counters_free(&m);
    free(at);
}
END_TEST

START_TEST(more_counters_than_runs)
{
    double at[RUNS * COUNTERS], y[RUNS];
    struct cs_matrix x = {RUNS, COUNTERS, at};
    struct cs_counters_model m;
    for (int i = 0; i < RUNS; i++)
        fill(&x, y, i);
    ck_assert_int_eq(cs_counters_fit(&x, y, COUNTERS, 1e-9, &m), 0);
    ck_assert_int_eq(m.n_features, COUNTERS - 1);
    for (int i = 0; i < RUNS; i++) {
        double row[COUNTERS];
        for (int j = 0; j < COUNTERS; j++)
            row[j] = counter(i, j);
        ck_assert_double_eq_tol(cs_counters_predict(&m, row), y[i], 1e-5);
    }
    cs_counters_free(&m);
}
END_TEST

/* One run, or counters that are the same in each: the mean time is all that is known. */
START_TEST(nothing_varies)
{
    double at[] = {7, 7, 9, 9}, y[] = {4, 6};
    struct cs_matrix x = {2, 2, at};
    struct cs_counters_model m;
    ck_assert_int_eq(cs_counters_fit(&x, y, 1, 0, &m), 0);
    ck_assert_int_eq(m.n_features, 0);
    ck_assert_double_eq(cs_counters_predict(&m, at), 5);
    cs_counters_free(&m);
}
END_TEST

START_TEST(numbers_that_are_none)
{
    double at[] = {1, 2}, y[] = {1, NAN};
    struct cs_matrix x = {2, 1, at};
    struct cs_counters_model m;
    ck_assert_int_eq(cs_counters_fit(&x, y, 1, 0, &m), -1);
    ck_assert_int_eq(errno, EDOM);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("counters");
    tcase_add_test(t, ranks_combined);
    tcase_add_test(t, finds_what_matters);
    tcase_add_test(t, more_counters_than_runs);
    tcase_add_test(t, nothing_varies);
    tcase_add_test(t, numbers_that_are_none);
    Suite *s = suite_create("counters");
    suite_add_tcase(s, t);
    return suite_main(s);
}
