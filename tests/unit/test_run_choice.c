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

static struct cs_observations observed;
static struct cs_run_choice choice;

static void begin(void)
{
    observed = (struct cs_observations){0};
    choice = (struct cs_run_choice){0};
}

static void end(void)
{
    cs_run_choice_free(&choice);
    cs_observations_free(&observed);
}

START_TEST(near_the_target)
{
    int counter;
    const double turns[] = {10, 900, 1e7, 2e3, 30, 1e3};
    for (int i = 0; i < 6; i++)
        add(&observed, turns[i], 0);
    choose(&observed, 2, &choice);
    ck_assert_int_eq(choice.n, 2);
    ck_assert(has(&choice, 1) && has(&choice, 3));
    ck_assert_double_eq(cs_choice_outside(&observed, &choice, 0, &counter), 1);
    ck_assert_double_eq(choice.turns[1], 9000);
}
END_TEST

/* What all others have in one ratio, run 2 has in another one, and so does the target. */
START_TEST(loops_told_apart)
{
    add(&observed, 1000, 100);
    add(&observed, 1100, 110);
    add(&observed, 1000, 700);
    add(&observed, 900, 90);
    add(&observed, 1000, 400);
    choose(&observed, 2, &choice);
    ck_assert(has(&choice, 2));
}
END_TEST

START_TEST(ways_of_the_target)
{
    int counter;
    add(&observed, 1e6, 0);
    add(&observed, 5e3, 0);
    add_row(&observed, 1, 1e6, 0);
    add(&observed, 1e6, 0);
    add_row(&observed, 1, 5e6, 0);
    add_row(&observed, 2, 5e6, 0);
    choose(&observed, 1, &choice);
    ck_assert_int_eq(choice.run[0], 1);
    ck_assert_double_eq(cs_choice_outside(&observed, &choice, 1, &counter), 5);
    ck_assert_int_eq(counter, 0);
    ck_assert_double_eq(cs_choice_outside(&observed, &choice, 2, &counter), 0);
}
END_TEST

/* Run 0 and run 1 do the same on a rank; run 1 has a segment more, of which the target has none. */
START_TEST(cheaper_ones)
{
    add(&observed, 1000, 0);
    add_row(&observed, 1, 1e6, 0);
    add(&observed, 1000, 0);
    add(&observed, 1000, 0);
    choose(&observed, 1, &choice);
    ck_assert_int_eq(choice.run[0], 1);
}
END_TEST

/* More runs of one kind tell little more; there are three all the same. No candidate at all gives none. */
START_TEST(enough)
{
    add(&observed, 1000, 10);
    choose(&observed, 5, &choice);
    ck_assert_int_eq(choice.n, 0);
    cs_run_choice_free(&choice);
    for (int i = 0; i < 200; i++)
        add(&observed, 1000, 10);
    choose(&observed, 150, &choice);
    ck_assert_int_ge(choice.n, 3);
    ck_assert_int_lt(choice.n, 100);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("choice");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, near_the_target);
    tcase_add_test(t, loops_told_apart);
    tcase_add_test(t, ways_of_the_target);
    tcase_add_test(t, cheaper_ones);
    tcase_add_test(t, enough);
    Suite *s = suite_create("choice");
    suite_add_tcase(s, t);
    return suite_main(s);
}
