/* SPDX-License-Identifier: BSD-3-Clause
 * How many turns of a loop are left, against loops that run: all values of small types. */
#include <limits.h>

#include "../../api/repeated_turns.h"
#include "suite.h"

enum { BITS = 4, RANGE = 1 << BITS };

static bool goes_on(long i, enum cs_turns_while cmp, long bound)
{
    switch (cmp) {
    case CS_TURNS_LT: return i < bound;
    case CS_TURNS_LE: return i <= bound;
    case CS_TURNS_GT: return i > bound;
    case CS_TURNS_GE: return i >= bound;
    case CS_TURNS_NE: return i != bound;
    }
    return false;
}

/* The loop as it would run; 0 where it leaves the range. */
static long run(long first, long step, long bound, enum cs_turns_while cmp, long low)
{
    long i = first;
    for (long m = 0; m < 2 * RANGE; m++, i += step) {
        if (i < low || i >= low + RANGE)
            return 0;
        if (!goes_on(i, cmp, bound))
            return m;
    }
    return 0;
}

START_TEST(as_loops_run)
{
    bool is_unsigned = _i;
    long low = is_unsigned ? 0 : -RANGE / 2, asked = 0;
    for (int cmp = CS_TURNS_LT; cmp <= CS_TURNS_NE; cmp++)
        for (long first = low; first < low + RANGE; first++)
            for (long bound = low; bound < low + RANGE; bound++)
                for (long step = -RANGE / 2; step < RANGE / 2; step++) {
                    long how = cs_turns_how((enum cs_turns_while)cmp, BITS, is_unsigned, false);
                    long want = step ? run(first, step, bound, (enum cs_turns_while)cmp, low) : 0;
                    ck_assert_int_eq(cs_turns_left(first, step, bound, how), want);
                    asked += want;
                }
    ck_assert_int_gt(asked, 1000);
}
END_TEST

START_TEST(large_numbers)
{
    long ints = cs_turns_how(CS_TURNS_LT, 32, false, true), longs = cs_turns_how(CS_TURNS_LT, 64, false, false);
    long sizes = cs_turns_how(CS_TURNS_NE, 64, true, false);
    ck_assert_int_eq(cs_turns_left(1, 1, 1000000000, ints), 999999999);
    ck_assert_int_eq(cs_turns_left(0, 2, INT_MAX, ints), 0);
    ck_assert_int_eq(cs_turns_left(1, 2, INT_MAX, ints), INT_MAX / 2);
    ck_assert_int_eq(cs_turns_left(0, 1, LONG_MAX, longs), LONG_MAX);
    ck_assert_int_eq(cs_turns_left(LONG_MIN, 1, LONG_MAX, longs), 0); /* more than a long has */
    ck_assert_int_eq(cs_turns_left(LONG_MIN, 4, LONG_MAX - 3, longs), LONG_MAX / 2);
    ck_assert_int_eq(cs_turns_left(-1, -4, 3, sizes), (1L << 62) - 1);
    ck_assert_int_eq(cs_turns_left(-1, -3, 2, sizes), 0); /* it jumps over the bound */
    ck_assert_int_eq(cs_turns_left(-1, -1, 0, sizes), 0);
    ck_assert_int_eq(cs_turns_left(0, 1, -1, cs_turns_how(CS_TURNS_LT, 8, true, false)), 255);
    ck_assert_int_eq(cs_turns_left(0, 1, 5, CS_TURNS_BEGIN), 0);
    ck_assert_int_eq(cs_turns_left(0, 0, 5, ints), 0);
}
END_TEST

START_TEST(words)
{
    long how = cs_turns_how(CS_TURNS_GE, 64, true, true);
    ck_assert_int_ne(how, CS_TURNS_BEGIN);
    ck_assert_int_eq(cs_turns_cmp(how), CS_TURNS_GE);
    ck_assert_int_eq(cs_turns_bits(how), 64);
    ck_assert(how & CS_TURNS_UNSIGNED && how & CS_TURNS_REQUESTS);
    how = cs_turns_how(CS_TURNS_NE, 8, false, false);
    ck_assert_int_eq(cs_turns_bits(how), 8);
    ck_assert(!(how & CS_TURNS_UNSIGNED) && !(how & CS_TURNS_REQUESTS));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("turns");
    TCase *c = tcase_create("turns");
    tcase_add_loop_test(c, as_loops_run, 0, 2);
    tcase_add_test(c, large_numbers);
    tcase_add_test(c, words);
    suite_add_tcase(s, c);
    return suite_main(s);
}
