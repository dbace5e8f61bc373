/* SPDX-License-Identifier: BSD-3-Clause
 * Which small runs tell most: those near the target, those that tell its loops apart, those that go its ways; the
 * cheaper ones of two that are as good. */
#include <stdlib.h>

#include "predict/methods/run_choice.h"
#include "suite.h"

/* Two counters, of two loops of a line each. */
static void add_counters(struct cs_observations *o)
{
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(
            cs_observed_counter_number(o, &(struct cs_counter_def){"app.c", "main", 10 + i, 0, CS_COUNTER_LOOP, true}),
            i);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(cs_observed_site_number(o, &(struct cs_site){"app.c", 1 + i, "main"}), i);
}

static void add_row(struct cs_observations *o, int from, double a, double b)
{
    struct cs_observed_row row = {.run = o->nruns - 1, .times = 10, .ncounts = 2};
    row.count = malloc(2 * sizeof *row.count);
    row.count[0] = (struct cs_observed_count){0, a};
    row.count[1] = (struct cs_observed_count){1, b};
    ck_assert_int_eq(cs_observed_add_row(o, cs_observed_segment_number(o, from, from + 1), &row), 0);
}

/* A run with one segment. */
static void add(struct cs_observations *o, double a, double b)
{
    if (!o->ncounters)
        add_counters(o);
    ck_assert_int_eq(cs_observed_add_run(o, "run", 1, false), 0);
    add_row(o, 0, a, b);
}

static bool has(const struct cs_run_choice *c, int run)
{
    for (int i = 0; i < c->n; i++)
        if (c->run[i] == run)
            return true;
    return false;
}

static void choose(struct cs_observations *o, int most, struct cs_run_choice *c)
{
    ck_assert_int_eq(cs_choose_runs(o, most, c), 0);
    for (int i = 1; i < c->n; i++)
        ck_assert_double_le(c->error[i], c->error[i - 1]);
}

START_TEST(near_the_target)
{
    struct cs_observations o = {0};
    struct cs_run_choice c;
    int counter;
    const double turns[] = {10, 900, 1e7, 2e3, 30, 1e3};
    for (int i = 0; i < 6; i++)
        add(&o, turns[i], 0);
    choose(&o, 2, &c);
    ck_assert_int_eq(c.n, 2);
    ck_assert(has(&c, 1) && has(&c, 3));
    ck_assert_double_eq(cs_choice_outside(&o, &c, 0, &counter), 1);
    ck_assert_double_eq(c.turns[1], 9000);
    cs_run_choice_free(&c);
    cs_observations_free(&o);
}
END_TEST

/* What all others have in one ratio, run 2 has in another one, and so does the target. */
START_TEST(loops_told_apart)
{
    struct cs_observations o = {0};
    struct cs_run_choice c;
    add(&o, 1000, 100);
    add(&o, 1100, 110);
    add(&o, 1000, 700);
    add(&o, 900, 90);
    add(&o, 1000, 400);
    choose(&o, 2, &c);
    ck_assert(has(&c, 2));
    cs_run_choice_free(&c);
    cs_observations_free(&o);
}
END_TEST

START_TEST(ways_of_the_target)
{
    struct cs_observations o = {0};
    struct cs_run_choice c;
    int counter;
    add(&o, 1e6, 0);
    add(&o, 5e3, 0);
    add_row(&o, 1, 1e6, 0);
    add(&o, 1e6, 0);
    add_row(&o, 1, 5e6, 0);
    add_row(&o, 2, 5e6, 0);
    choose(&o, 1, &c);
    ck_assert_int_eq(c.run[0], 1);
    ck_assert_double_eq(cs_choice_outside(&o, &c, 1, &counter), 5);
    ck_assert_int_eq(counter, 0);
    ck_assert_double_eq(cs_choice_outside(&o, &c, 2, &counter), 0);
    cs_run_choice_free(&c);
    cs_observations_free(&o);
}
END_TEST

/* Run 0 and run 1 do the same on a rank; run 1 has a segment more, of which the target has none. */
START_TEST(cheaper_ones)
{
    struct cs_observations o = {0};
    struct cs_run_choice c;
    add(&o, 1000, 0);
    add_row(&o, 1, 1e6, 0);
    add(&o, 1000, 0);
    add(&o, 1000, 0);
    choose(&o, 1, &c);
    ck_assert_int_eq(c.run[0], 1);
    cs_run_choice_free(&c);
    cs_observations_free(&o);
}
END_TEST

/* More runs of one kind tell little more; there are three all the same. No candidate at all gives none. */
START_TEST(enough)
{
    struct cs_observations o = {0};
    struct cs_run_choice c;
    add(&o, 1000, 10);
    choose(&o, 5, &c);
    ck_assert_int_eq(c.n, 0);
    cs_run_choice_free(&c);
    for (int i = 0; i < 200; i++)
        add(&o, 1000, 10);
    choose(&o, 150, &c);
    ck_assert_int_ge(c.n, 3);
    ck_assert_int_lt(c.n, 100);
    cs_run_choice_free(&c);
    cs_observations_free(&o);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("choice");
    tcase_add_test(t, near_the_target);
    tcase_add_test(t, loops_told_apart);
    tcase_add_test(t, ways_of_the_target);
    tcase_add_test(t, cheaper_ones);
    tcase_add_test(t, enough);
    Suite *s = suite_create("choice");
    suite_add_tcase(s, t);
    return suite_main(s);
}
