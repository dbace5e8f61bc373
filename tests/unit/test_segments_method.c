/* SPDX-License-Identifier: BSD-3-Clause
 * Prices of pieces beyond a cache: a product of matrices, each rank with all of one of them. What was measured there is
 * predicted; what was not is said, with as much as memory may cost. And which small runs one should measure. */
#include <math.h>
#include <stdlib.h>

#include "predict/methods/run_choice.h"
#include "predict/methods/segments_method.h"
#include "suite.h"

static struct cs_observations observed;
static struct cs_segments_model model;

/* ns of a turn: in memory it takes three times as long as in the last cache. */
static double turn(int n)
{
    return 8.0 * n * n > 8 << 20 ? 1.2 : 0.4;
}

static double truth(int n, int ranks)
{
    return 200 + turn(n) * n * n * n / ranks;
}

static void add_counters(void)
{
    for (int i = 0; i < 3; i++)
        cs_observed_counter_number(&observed,
                                   &(struct cs_counter_def){"mm.c", "multiply", 10 + i, 0, CS_COUNTER_LOOP, true});
    for (int i = 0; i < 2; i++)
        cs_observed_site_number(&observed, &(struct cs_site){"mm.c", 20 + i, "main"});
}

/* The product of n x n matrices; without times it is what is asked. */
static void add(int n, int ranks, bool with_times)
{
    if (!observed.ncounters)
        add_counters();
    ck_assert_int_eq(cs_observed_add_run(&observed, "run", ranks, with_times), 0);
    for (int rank = 0; rank < ranks; rank++) {
        struct cs_observed_row row = {.run = observed.nruns - 1, .rank = rank, .times = 1, .ncounts = 3};
        row.ns = with_times ? truth(n, ranks) : 0;
        row.count = malloc(3 * sizeof *row.count);
        for (int i = 0; i < 3; i++)
            row.count[i] = (struct cs_observed_count){i, pow(n, i + 1) / ranks};
        ck_assert_int_eq(cs_observed_add_row(&observed, cs_observed_segment_number(&observed, 0, 1), &row), 0);
    }
}

static void add_small_runs(bool with_times)
{
    for (int n = 150; n <= 600; n += 150)
        for (int ranks = 1; ranks <= 2; ranks++)
            add(n, ranks, with_times);
}

static const struct cs_observed_row *target(void)
{
    return &observed.segment[0].row[observed.segment[0].nrows - 1];
}

static void begin(void)
{
    static const double caches[] = {32 << 10, 512 << 10, 8 << 20};
    observed = (struct cs_observations){.ncaches = 3};
    for (int i = 0; i < 3; i++)
        observed.cache[i] = caches[i];
    model = (struct cs_segments_model){0};
}

static void end(void)
{
    cs_segments_free(&model);
    cs_observations_free(&observed);
}

START_TEST(not_measured)
{
    double bytes, measured;
    add_small_runs(true);
    add(1200, 2, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    double ns = cs_segment_time(&model, 0, target(), 2),
           beyond = cs_segment_beyond(&model, 0, target(), &bytes, &measured);
    ck_assert_double_lt(ns, 0.5 * truth(1200, 2));
    ck_assert_double_gt(ns + beyond, truth(1200, 2));
    ck_assert_double_eq_tol(bytes, 8.0 * 1200 * 1200, 0.01 * bytes);
    ck_assert_double_eq_tol(measured, 8.0 * 600 * 600, 0.01 * measured);
}
END_TEST

/* Not more than before of what is in the same cache, nor where no caches are known. */
START_TEST(same_cache)
{
    double bytes, measured;
    add_small_runs(true);
    add(900, 2, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    ck_assert_double_eq(cs_segment_beyond(&model, 0, target(), &bytes, &measured), 0);
    ck_assert_double_eq_tol(cs_segment_time(&model, 0, target(), 2) / truth(900, 2), 1, 0.05);
    add(4000, 2, false);
    observed.ncaches = 0;
    cs_segments_free(&model);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    ck_assert_double_eq(cs_segment_beyond(&model, 0, target(), &bytes, &measured), 0);
}
END_TEST

/* One larger size is enough to know what memory costs. */
START_TEST(measured_beyond)
{
    double bytes, measured;
    add_small_runs(true);
    for (int ranks = 1; ranks <= 2; ranks++) {
        add(1100, ranks, true);
        add(1400, ranks, true);
    }
    add(2400, 4, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    ck_assert_double_eq(cs_segment_beyond(&model, 0, target(), &bytes, &measured), 0);
    ck_assert_double_eq_tol(cs_segment_time(&model, 0, target(), 4) / truth(2400, 4), 1, 0.1);
}
END_TEST

/* Twice as large a size of which two ranks are as long as one of a smaller one: not the turns say which cache. */
START_TEST(many_ranks)
{
    add_small_runs(true);
    for (int ranks = 1; ranks <= 2; ranks++)
        add(1100, ranks, true);
    for (int ranks = 4; ranks <= 16; ranks *= 2) {
        add(600, ranks, true);
        add(1200, ranks, true);
    }
    add(1200, 64, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    ck_assert_double_eq_tol(cs_segment_time(&model, 0, target(), 64) / truth(1200, 64), 1, 0.1);
}
END_TEST

/* A piece of two loops of 4 and 9 ns a turn, from one site to another; without times it is what is asked. */
static void add_piece(int from, const double turns[3], bool with_times)
{
    static const double price[3] = {4, 1, 9};
    struct cs_observed_row row = {.run = observed.nruns - 1, .times = 1, .ncounts = 3};
    row.count = malloc(3 * sizeof *row.count);
    for (int i = 0; i < 3; i++) {
        row.count[i] = (struct cs_observed_count){i, turns[i]};
        row.ns += with_times ? price[i] * turns[i] : 0;
    }
    ck_assert_int_eq(cs_observed_add_row(&observed, cs_observed_segment_number(&observed, from, 0), &row), 0);
}

/* No small run went the way, but its loops are elsewhere, each of another price. */
START_TEST(other_way)
{
    add_counters();
    for (int n = 1000; n <= 8000; n *= 2) {
        ck_assert_int_eq(cs_observed_add_run(&observed, "run", 1, true), 0);
        add_piece(-1, (double[]){n, 9000 - n, 0}, true);
        add_piece(0, (double[]){0, 9000 - n, n}, true);
    }
    ck_assert_int_eq(cs_observed_add_run(&observed, "target", 1, false), 0);
    add_piece(1, (double[]){3000, 0, 5000}, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    double ns = cs_segment_time(&model, 2, &observed.segment[2].row[0], 1);
    ck_assert_double_eq_tol(ns / (4 * 3000 + 9 * 5000), 1, 0.05);
}
END_TEST

/* A rank's first time through a piece takes three times as long as each later one; it goes there so many times. */
static void add_often(double times, bool with_times)
{
    struct cs_observed_row row = {.run = observed.nruns - 1, .times = times, .ncounts = 0};
    if (with_times) {
        row.first = 3000;
        row.ns = (3000 + (times - 1) * 1000) / times;
    }
    ck_assert_int_eq(cs_observed_add_row(&observed, cs_observed_segment_number(&observed, -1, 0), &row), 0);
}

START_TEST(first_time)
{
    add_counters();
    for (int times = 1; times <= 4; times *= 2) {
        ck_assert_int_eq(cs_observed_add_run(&observed, "run", 1, true), 0);
        add_often(times, true);
    }
    ck_assert_int_eq(cs_observed_add_run(&observed, "target", 1, false), 0);
    add_often(64, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    double ns = cs_segment_time(&model, 0, &observed.segment[0].row[3], 1);
    ck_assert_double_eq_tol(ns / ((3000 + 63 * 1000) / 64.0), 1, 0.05);
}
END_TEST

/* Of 16 ranks one goes through a loop of its own besides, which takes a seventh of its time. */
static void add_slow_rank(int turns, bool with_times)
{
    ck_assert_int_eq(cs_observed_add_run(&observed, "run", 16, with_times), 0);
    for (int rank = 0; rank < 16; rank++) {
        double own = rank == 15 ? turns / 4 : 0;
        struct cs_observed_row row = {.run = observed.nruns - 1, .rank = rank, .times = 1, .ncounts = 2};
        row.count = malloc(2 * sizeof *row.count);
        row.count[0] = (struct cs_observed_count){0, turns};
        row.count[1] = (struct cs_observed_count){1, own};
        row.ns = with_times ? 10 * turns * (1 + 0.04 * (rank % 2)) + 7 * own : 0;
        ck_assert_int_eq(cs_observed_add_row(&observed, cs_observed_segment_number(&observed, -1, 0), &row), 0);
    }
}

START_TEST(slowest)
{
    add_counters();
    for (int turns = 1000; turns <= 8000; turns *= 2)
        add_slow_rank(turns, true);
    add_slow_rank(3000, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    const struct cs_observed_row *row = observed.segment[0].row + 4 * 16;
    double most = cs_segment_time(&model, 0, &row[15], 16) / cs_segment_time(&model, 0, &row[14], 16);
    ck_assert_double_gt(most, 1.12);
}
END_TEST

/* Small runs take 5 % more with each doubling of their ranks than their turns say, which has no term with two numbers
 * of ranks. */
START_TEST(more_ranks)
{
    add_counters();
    for (int ranks = 8; ranks <= 16; ranks *= 2)
        for (int turns = 1000; turns <= 4000; turns *= 2) {
            ck_assert_int_eq(cs_observed_add_run(&observed, "run", ranks, true), 0);
            add_piece(-1, (double[]){ranks == 8 ? turns : 1.05 * turns, 0, 0}, true);
            observed.segment[0].row[observed.segment[0].nrows - 1].count[0].mean = turns;
        }
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    ck_assert_double_eq_tol(cs_segments_off_by_ranks(&model, 16), 0, 1e-9);
    ck_assert_double_eq_tol(cs_segments_off_by_ranks(&model, 32), 0.048, 0.02);
    ck_assert_double_eq_tol(cs_segments_off_by_ranks(&model, 256) / cs_segments_off_by_ranks(&model, 32), 2, 1e-9);
}
END_TEST

/* Large pieces take twice as long, as they leave a cache, whatever their loops: small ones do not, which no small run
 * has with these loops together. */
START_TEST(other_way_small)
{
    add_counters();
    for (int n = 1000; n <= 64000; n *= 2) {
        ck_assert_int_eq(cs_observed_add_run(&observed, "run", 1, true), 0);
        for (int from = -1; from < 1; from++) {
            add_piece(from, from < 0 ? (double[]){n, 9000, 0} : (double[]){0, 9000, n}, true);
            observed.segment[from + 1].row[observed.segment[from + 1].nrows - 1].ns *= n > 8000 ? 2 : 1;
        }
    }
    ck_assert_int_eq(cs_observed_add_run(&observed, "target", 1, false), 0);
    add_piece(1, (double[]){1000, 0, 900}, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    ck_assert_double_eq_tol(cs_segment_time(&model, 2, &observed.segment[2].row[0], 1) / (4 * 1000 + 9 * 900), 1, 0.1);
}
END_TEST

/* Pieces behind one site take three times as long as the same loops elsewhere; no small run went on from there as the
 * target does. */
START_TEST(first_touch)
{
    add_counters();
    for (int n = 1000; n <= 8000; n *= 2) {
        ck_assert_int_eq(cs_observed_add_run(&observed, "run", 1, true), 0);
        add_piece(-1, (double[]){n, 9000 - n, 0}, true);
        add_piece(0, (double[]){9000 - n, n, 0}, true);
        observed.segment[1].row[observed.segment[1].nrows - 1].ns *= 3;
    }
    ck_assert_int_eq(cs_observed_add_run(&observed, "target", 1, false), 0);
    int segment = cs_observed_segment_number(&observed, 0, 1);
    struct cs_observed_row row = observed.segment[1].row[0], other = row;
    row.run = observed.nruns - 1;
    row.count = malloc(3 * sizeof *row.count);
    for (int i = 0; i < 3; i++)
        row.count[i] = other.count[i];
    ck_assert_int_eq(cs_observed_add_row(&observed, segment, &row), 0);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
    double behind = cs_loop_prices_of(&model.loops, 0, &row), elsewhere = cs_loop_prices_of(&model.loops, -1, &row);
    ck_assert_double_gt(behind, 1.8 * elsewhere);
}
END_TEST

/* Four measured pieces share two loops; the piece that is asked has one that no small run has, too. How far it may be
 * off its prices is little in the former, and as much as it takes in the latter. `wrong`: by what factor the four are
 * off each other. */
static void ask_unknown(double wrong, double third)
{
    add_counters();
    for (int line = 30; line < 32; line++)
        cs_observed_site_number(&observed, &(struct cs_site){"mm.c", line, "main"});
    for (int n = 1000; n <= 8000; n *= 2) {
        ck_assert_int_eq(cs_observed_add_run(&observed, "run", 1, true), 0);
        for (int from = -1; from < 3; from++) {
            add_piece(from, (double[]){n + 2000 * (from + 1), 9000 - n, 0}, true);
            observed.segment[from + 1].row[observed.segment[from + 1].nrows - 1].ns *= pow(wrong, from);
        }
    }
    ck_assert_int_eq(cs_observed_add_run(&observed, "target", 1, false), 0);
    add_piece(3, (double[]){3000, 5000, third}, false);
    ck_assert_int_eq(cs_segments_fit(&observed, &model), 0);
}

START_TEST(known_loops)
{
    ask_unknown(1, 0);
    ck_assert_double_lt(cs_loop_prices_off(&model.loops, &observed.segment[4].row[0]), 0.05);
}
END_TEST

START_TEST(loops_that_differ)
{
    ask_unknown(1.5, 0);
    ck_assert_double_gt(cs_loop_prices_off(&model.loops, &observed.segment[4].row[0]), 0.2);
}
END_TEST

START_TEST(unknown_loop)
{
    ask_unknown(1, 5000);
    ck_assert(model.loops.known[0]);
    ck_assert(!model.loops.known[2]);
    ck_assert_double_gt(cs_loop_prices_off(&model.loops, &observed.segment[4].row[0]), 0.2);
}
END_TEST

START_TEST(chosen)
{
    struct cs_run_choice c;
    double bytes, measured;
    add_small_runs(false);
    add(1200, 1, false);
    add(2400, 64, false);
    ck_assert_int_eq(cs_choose_runs(&observed, 3, &c), 0);
    ck_assert(c.run[0] == 8 || c.run[1] == 8 || c.run[2] == 8);
    ck_assert(!cs_choice_beyond(&observed, &c, 0, &bytes, &measured));
    cs_run_choice_free(&c);
}
END_TEST

START_TEST(none_to_choose)
{
    struct cs_run_choice c;
    double bytes, measured;
    add_small_runs(false);
    add(2400, 64, false);
    ck_assert_int_eq(cs_choose_runs(&observed, 3, &c), 0);
    ck_assert(cs_choice_beyond(&observed, &c, 0, &bytes, &measured));
    ck_assert_double_eq_tol(bytes, 8.0 * 2400 * 2400, 0.01 * bytes);
    cs_run_choice_free(&c);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("segments");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, not_measured);
    tcase_add_test(t, same_cache);
    tcase_add_test(t, measured_beyond);
    tcase_add_test(t, many_ranks);
    tcase_add_test(t, other_way);
    tcase_add_test(t, other_way_small);
    tcase_add_test(t, first_time);
    tcase_add_test(t, slowest);
    tcase_add_test(t, more_ranks);
    tcase_add_test(t, first_touch);
    tcase_add_test(t, known_loops);
    tcase_add_test(t, loops_that_differ);
    tcase_add_test(t, unknown_loop);
    tcase_add_test(t, chosen);
    tcase_add_test(t, none_to_choose);
    Suite *s = suite_create("segments");
    suite_add_tcase(s, t);
    return suite_main(s);
}
