/* SPDX-License-Identifier: BSD-3-Clause
 * Messages come out of the sorter in the order of their sending, all of them and once: a few, which memory holds, and
 * so many that pieces go to a file. */
#include <stdint.h>
#include <stdlib.h>

#include "cli/export/sorted_messages.h"
#include "suite.h"

/* Beyond what memory is to hold: three pieces and a part of one. */
enum { MANY = (1 << 18) * 3 + 1000 };

/* The same for each run. */
static uint32_t drawn(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Message i says so in its tag; times repeat, and ranks then decide. */
static void add(struct cs_sorted_messages *s, int n, uint32_t *state)
{
    for (int i = 0; i < n; i++) {
        struct cs_sent_message m = {
            (int32_t)(drawn(state) % 7), (int32_t)(drawn(state) % 7), drawn(state) % (n / 2 + 1), 0, 0, i, 8};
        ck_assert_int_eq(cs_sorted_messages_add(s, &m), 0);
    }
}

static void check_order(const struct cs_sent_message *before, const struct cs_sent_message *m)
{
    ck_assert(before->sent <= m->sent);
    if (before->sent == m->sent)
        ck_assert(before->from < m->from || (before->from == m->from && before->to <= m->to));
}

static void come_back_sorted(int n)
{
    uint32_t state = (uint32_t)n + 1;
    char *seen = calloc((size_t)n + 1, 1);
    struct cs_sorted_messages *s = cs_sorted_messages_new();
    struct cs_sent_message before = {0, 0, INT64_MIN, 0, 0, 0, 0};
    int got = 0;
    ck_assert(s && seen);
    add(s, n, &state);
    ck_assert_int_eq(cs_sorted_messages_sort(s), 0);
    for (const struct cs_sent_message *m; (m = cs_sorted_messages_first(s)); got++) {
        check_order(&before, m);
        ck_assert(m->tag >= 0 && m->tag < n && !seen[m->tag]);
        seen[m->tag] = 1;
        before = *m;
        ck_assert_int_eq(cs_sorted_messages_take(s), 0);
    }
    ck_assert_int_eq(got, n);
    cs_sorted_messages_free(s);
    free(seen);
}

START_TEST(none)
{
    come_back_sorted(0);
}
END_TEST

START_TEST(few)
{
    come_back_sorted(1000);
}
END_TEST

START_TEST(beyond_memory)
{
    come_back_sorted(MANY);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sorted messages");
    TCase *c = tcase_create("order");
    tcase_add_test(c, none);
    tcase_add_test(c, few);
    tcase_add_test(c, beyond_memory);
    tcase_set_timeout(c, 120);
    suite_add_tcase(s, c);
    return suite_main(s);
}
