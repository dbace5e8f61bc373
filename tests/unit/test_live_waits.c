/* SPDX-License-Identifier: BSD-3-Clause
 * Who waits for whom, in looks at runs that are written down here: chains, circles, collective calls. */
#include <string.h>

#include "cli/monitor/live_view.h"
#include "suite.h"

enum { RANKS = 5, WORLD = 7 };

static struct cs_rank_view rank[RANKS];
static int chain[RANKS];
static struct cs_live_view view;

static void begin(void)
{
    memset(rank, 0, sizeof rank);
    view = (struct cs_live_view){.nranks = RANKS, .rank = rank, .chain = chain};
    for (int i = 0; i < RANKS; i++)
        rank[i].at = CS_AT_COMPUTES;
}

static void waits_for(int i, int peer)
{
    rank[i].at = CS_AT_CALL;
    rank[i].calls.state = CS_LIVE_IN_CALL;
    rank[i].calls.waits = peer < 0 ? CS_LIVE_FOR_ANY : CS_LIVE_FOR_PEER;
    rank[i].calls.peer = peer;
}

static void in_collective(int i, uint64_t comm, int members)
{
    rank[i].at = CS_AT_CALL;
    rank[i].calls.state = CS_LIVE_IN_CALL;
    rank[i].calls.waits = CS_LIVE_FOR_ALL;
    rank[i].calls.comm = comm;
    rank[i].calls.members = members;
}

static void chain_is(const int *want, int n, bool circle)
{
    cs_live_waits(&view);
    ck_assert_int_eq(view.nchain, n);
    ck_assert_int_eq(view.circle, circle);
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(chain[i], want[i]);
}

START_TEST(nobody_waits)
{
    begin();
    waits_for(3, -1);
    chain_is(NULL, 0, false);
    ck_assert_int_eq(rank[3].waits_for, -1);
}
END_TEST

START_TEST(longest_chain)
{
    begin();
    waits_for(0, 1);
    waits_for(4, 2);
    waits_for(2, 3);
    chain_is((int[]){4, 2, 3}, 3, false);
}
END_TEST

START_TEST(circle)
{
    begin();
    waits_for(0, 1);
    waits_for(1, 2);
    waits_for(2, 3);
    waits_for(3, 2);
    chain_is((int[]){2, 3}, 2, true);
}
END_TEST

/* A collective call waits for the rank that is not in it: before all for one that computes. */
START_TEST(late_for_a_collective)
{
    begin();
    in_collective(0, WORLD, RANKS);
    in_collective(1, WORLD, RANKS);
    in_collective(4, WORLD, RANKS);
    waits_for(2, 3);
    chain_is((int[]){0, 3}, 2, false);
    waits_for(3, 0);
    chain_is((int[]){0, 2, 3}, 3, true);
}
END_TEST

START_TEST(members_not_known)
{
    begin();
    in_collective(0, WORLD + 1, 2);
    chain_is(NULL, 0, false);
    for (int i = 0; i < RANKS; i++)
        in_collective(i, WORLD, RANKS);
    chain_is(NULL, 0, false);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("waits");
    tcase_add_test(c, nobody_waits);
    tcase_add_test(c, longest_chain);
    tcase_add_test(c, circle);
    tcase_add_test(c, late_for_a_collective);
    tcase_add_test(c, members_not_known);
    Suite *s = suite_create("waits");
    suite_add_tcase(s, c);
    return suite_main(s);
}
