/* SPDX-License-Identifier: BSD-3-Clause
 * How times vary from one time to the next: learnt from a law with noise, and played for as many ranks as meet in a
 * barrier, where the mean of the slowest is known in closed form. */
#include <math.h>
#include <stdlib.h>

#include "predict/model/variation.h"
#include "suite.h"

enum { RANKS = 16, TIMES = 500, MEET = 64, STEPS = 20000 };

static double times[RANKS * TIMES];
static uint64_t chance;

static double exponential(void)
{
    return -log(1 - cs_chance(&chance));
}

static double normal(void)
{
    double a = cs_chance(&chance), b = cs_chance(&chance);
    return sqrt(-2 * log(1 - a)) * cos(2 * acos(-1) * b);
}

/* Of a time: every tenth takes three times as long on all ranks, and rank r has so much more work than rank 0. */
static double known(int rank, int k)
{
    return 1000 * (1 + 0.1 * rank) * (k % 10 ? 1 : 3);
}

/* The mean of the slowest of MEET ranks whose mean is 1. */
static double slowest(const struct cs_variation *v)
{
    struct cs_variation_place at[MEET];
    double sum = 0;
    for (int r = 0; r < MEET; r++)
        at[r] = (struct cs_variation_place){.state = (uint64_t)(r + 1) << 32};
    for (int k = 0; k < STEPS; k++) {
        double most = 0;
        for (int r = 0; r < MEET; r++)
            most = fmax(most, cs_variation_next(v, &at[r]));
        sum += most;
    }
    return sum / STEPS;
}

/* The sum of 1/i for i to MEET. The longest times are somewhat too short, as they are in what all ranks have alike. */
START_TEST(exponential_noise)
{
    struct cs_variation v;
    double want = 0;
    chance = 1;
    for (int i = 0; i < RANKS * TIMES; i++)
        times[i] = known(i / TIMES, i % TIMES) * exponential();
    ck_assert_int_eq(cs_variation_learn(times, RANKS, TIMES, &v), 0);
    for (int i = 1; i <= MEET; i++)
        want += 1.0 / i;
    ck_assert_double_eq_tol(slowest(&v) / want, 1, 0.08);
    ck_assert_double_lt(v.correlation, 0.05);
}
END_TEST

/* 1 + 0.1 * 2.3793, the mean of the largest of 64 standard normal numbers; the same where one time is like the last. */
static void normal_noise(double correlation)
{
    struct cs_variation v;
    double z = 0;
    chance = 2;
    for (int i = 0; i < RANKS * TIMES; i++) {
        z = correlation * z + sqrt(1 - correlation * correlation) * normal();
        times[i] = known(i / TIMES, i % TIMES) * (1 + 0.1 * z);
    }
    ck_assert_int_eq(cs_variation_learn(times, RANKS, TIMES, &v), 0);
    ck_assert_double_eq_tol(v.correlation, correlation, 0.05);
    ck_assert_double_eq_tol(slowest(&v), 1 + 0.1 * 2.3793, 0.01);
}

START_TEST(independent_noise)
{
    normal_noise(0);
}
END_TEST

START_TEST(slow_noise)
{
    normal_noise(0.6);
}
END_TEST

/* Ranks that differ, and times that differ on all ranks alike, are no variation. */
START_TEST(no_noise)
{
    struct cs_variation v;
    for (int i = 0; i < RANKS * TIMES; i++)
        times[i] = known(i / TIMES, i % TIMES);
    ck_assert_int_eq(cs_variation_learn(times, RANKS, TIMES, &v), 0);
    ck_assert_double_eq_tol(slowest(&v), 1, 1e-6);
    ck_assert_int_eq(cs_variation_learn(times, 2, TIMES, &v), 1);
    ck_assert_int_eq(cs_variation_learn(times, RANKS, 1, &v), 1);
}
END_TEST

/* Cells that are less than a piece wide are parts of one piece, and rounded. */
START_TEST(few_pieces)
{
    struct cs_variation v;
    for (chance = 1; chance < 1000; chance++) {
        uint64_t seed = chance;
        for (int i = 0; i < 80; i++)
            times[i] = exponential();
        chance = seed;
        ck_assert_int_eq(cs_variation_learn(times, 4, 20, &v), 0);
        for (int c = 1; c < CS_VARIATION_CELLS; c++)
            ck_assert_double_ge(v.cell[c], v.cell[c - 1]);
    }
}
END_TEST

/* Short pieces vary more: those of about the length that is asked for count most. */
START_TEST(about_as_long)
{
    struct cs_variation v[2] = {{.pieces = 1000, .ns = 100}, {.pieces = 1000, .ns = 1e6}};
    for (int c = 0; c < CS_VARIATION_CELLS; c++) {
        v[0].cell[c] = 0.5 + c / (CS_VARIATION_CELLS - 1.0);
        v[1].cell[c] = 1;
    }
    ck_assert_double_lt(cs_variation_about(v, 2, 120).cell[0], 0.6);
    ck_assert_double_gt(cs_variation_about(v, 2, 5e5).cell[0], 0.9);
    ck_assert_double_eq(cs_variation_about(v, 0, 5e5).pieces, 0);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("time_variation");
    tcase_add_test(t, exponential_noise);
    tcase_add_test(t, independent_noise);
    tcase_add_test(t, slow_noise);
    tcase_add_test(t, no_noise);
    tcase_add_test(t, few_pieces);
    tcase_add_test(t, about_as_long);
    Suite *s = suite_create("time_variation");
    suite_add_tcase(s, t);
    return suite_main(s);
}
