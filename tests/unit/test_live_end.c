/* SPDX-License-Identifier: BSD-3-Clause
 * When a loop under way will end, in looks that are written down here: chunks of a pool, blocks, ranks at their first
 * chunk. */
#include <string.h>

#include "cli/monitor/live_view.h"
#include "suite.h"

enum { RANKS = 3 };

static struct cs_rank_view rank[RANKS];
static struct cs_live_view view;

/* A look at 10 s. */
static void begin(double items, double pool, bool blocks)
{
    memset(rank, 0, sizeof rank);
    view = (struct cs_live_view){.nranks = RANKS, .rank = rank, .loop = 1, .now = 10000000000};
    view.items = (int64_t)items;
    view.pool = pool;
    view.blocks = blocks;
    for (int i = 0; i < RANKS; i++) {
        rank[i].at = CS_AT_COMPUTES;
        rank[i].loop.loop = 1;
        rank[i].loop.speed = 1;
    }
}

static void goes(int i, double rate, double slow, double fast, double left)
{
    rank[i].rate = rate;
    rank[i].slow = slow;
    rank[i].fast = fast;
    rank[i].left = left;
    view.done++;
}

/* A rank that began its first chunk so many seconds ago. */
static void at_first(int i, double speed, int64_t items, double seconds)
{
    rank[i].loop.speed = speed;
    rank[i].loop.at_work = items;
    rank[i].loop.since = view.now - (int64_t)(1e9 * seconds);
    rank[i].left = (double)items;
}

static void ends(double seconds, double least, double most, int by_others)
{
    cs_live_find_end(&view);
    ck_assert(view.end.known);
    ck_assert_double_eq_tol(view.end.seconds, seconds, 1e-9);
    ck_assert_double_eq_tol(view.end.least, least, 1e-9);
    ck_assert_double_eq_tol(view.end.most, most, 1e-9);
    ck_assert_int_eq(view.end.by_others, by_others);
}

START_TEST(a_pool)
{
    begin(1000, 60, false);
    goes(0, 10, 5, 10, 20);
    goes(1, 10, 5, 20, 20);
    goes(2, 20, 10, 20, 20);
    ends(3, 2.4, 6, 0);
}
END_TEST

START_TEST(blocks)
{
    begin(1000, 0, true);
    goes(0, 10, 10, 10, 20);
    goes(1, 10, 5, 10, 50);
    goes(2, 20, 20, 20, 0);
    ends(5, 5, 10, 0);
    view.moves = true;
    ends(70. / 40, 70. / 40, 2, 0);
}
END_TEST

/* Its speed is half of theirs: 5 items a second, of which 3 seconds are over. */
START_TEST(a_first_chunk)
{
    begin(1000, 0, true);
    goes(0, 10, 8, 10, 0);
    goes(1, 10, 10, 16, 0);
    at_first(2, 0.5, 60, 3);
    ends(9, 45. / 8, 45. / 4, 1);
}
END_TEST

/* It should have ended: then it is about to. */
START_TEST(a_long_first_chunk)
{
    begin(1000, 0, true);
    goes(0, 10, 10, 10, 0);
    goes(1, 10, 10, 10, 0);
    at_first(2, 1, 20, 4);
    ends(0, 0, 0, 1);
}
END_TEST

START_TEST(nothing_is_known)
{
    begin(1000, 500, false);
    for (int i = 0; i < RANKS; i++)
        at_first(i, 1, 100, 1);
    cs_live_find_end(&view);
    ck_assert(!view.end.known);
}
END_TEST

/* A rank that is gone does no more, and what it had is never done. */
START_TEST(a_dead_rank)
{
    begin(1000, 0, false);
    goes(0, 10, 10, 10, 0);
    goes(1, 10, 10, 10, 20);
    at_first(2, 1, 20, 1);
    rank[2].at = CS_AT_DEAD;
    cs_live_find_end(&view);
    ck_assert(!view.end.known);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("ends");
    tcase_add_test(c, a_pool);
    tcase_add_test(c, blocks);
    tcase_add_test(c, a_first_chunk);
    tcase_add_test(c, a_long_first_chunk);
    tcase_add_test(c, nothing_is_known);
    tcase_add_test(c, a_dead_rank);
    Suite *s = suite_create("ends");
    suite_add_tcase(s, c);
    return suite_main(s);
}
