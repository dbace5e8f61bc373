/* SPDX-License-Identifier: BSD-3-Clause
 * Unit tests of base/: growable arrays, kinds of files, expressions, and the hash table against a plain list, with
 * hashes that collide. */
#include "base/expression.h"
#include "base/file_kind.h"
#include "base/grow.h"
#include "base/recorded_off.h"
#include "base/recorded_value.h"
#include "base/table.h"
#include "base/value_series.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(grows_and_keeps)
{
    int64_t *a = NULL;
    int n = 0, cap = 0;
    for (int i = 0; i < 10000; i++) {
        ck_assert(CS_MAKE_ROOM(a, n, cap));
        ck_assert_int_lt(n, cap);
        a[n++] = i * 7;
    }
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(a[i], i * 7);
    ck_assert_int_lt(cap, 4 * n);
    free(a);
}
END_TEST

/* Counts of 8 bytes, and room for many at once. */
START_TEST(grows_by_size_t)
{
    char *a = NULL;
    size_t n = 3, cap = 0;
    ck_assert(CS_MAKE_ROOM_FOR(a, 1000, cap));
    ck_assert_uint_ge(cap, 1000);
    size_t before = cap;
    ck_assert(CS_MAKE_ROOM(a, n, cap));
    ck_assert_uint_eq(cap, before);
    free(a);
}
END_TEST

/* What cannot be had leaves array and count as they were. */
START_TEST(too_much)
{
    int32_t *a = NULL;
    int cap = 0;
    ck_assert(CS_MAKE_ROOM_FOR(a, 4, cap));
    int32_t *was = a;
    int before = cap;
    ck_assert(!CS_MAKE_ROOM_FOR(a, (size_t)INT32_MAX + 1, cap));
    ck_assert(!CS_MAKE_ROOM_FOR(a, SIZE_MAX / 2, cap));
    ck_assert_ptr_eq(a, was);
    ck_assert_int_eq(cap, before);
    free(a);
}
END_TEST

/* An array without a count of its places. */
START_TEST(one_more)
{
    int64_t *a = NULL;
    int n = 0;
    for (int i = 0; i < 1000; i++) {
        ck_assert(CS_ONE_MORE(a, n));
        a[n++] = i * 7;
    }
    for (int i = 0; i < n; i++)
        ck_assert_int_eq(a[i], i * 7);
    ck_assert(!cs_one_more(&a, sizeof *a, (size_t)1 << 62));
    ck_assert_int_eq(a[0], 0);
    free(a);
}
END_TEST

/* A file is replaced if it is not there, empty, of the kind, or cut short; nothing else is. */
START_TEST(file_kinds)
{
    static const struct cs_file_kind kind = {"a thing", "AB\0C", 4};
    static const struct {
        const char *text;
        size_t n;
        bool may;
    } cases[] = {{"", 0, true},       {"AB\0C and more", 13, true}, {"AB\0", 3, true},
                 {"AB\0c", 4, false}, {"int main;", 9, false},      {"X", 1, false},
                 {"ABC", 3, false}};
    char name[] = "/tmp/commslice-kind.XXXXXX";
    int fd = mkstemp(name);
    ck_assert_int_ge(fd, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        ck_assert_int_eq(pwrite(fd, cases[i].text, cases[i].n, 0), (int)cases[i].n);
        ck_assert_msg(cs_may_replace(name, &kind) == cases[i].may, "case %zu", i);
    }
    close(fd);
    unlink(name);
    ck_assert(cs_may_replace(name, &kind));
    ck_assert(!cs_may_replace("/tmp", &kind));
    ck_assert(!cs_may_replace("/dev/null", &kind));
}
END_TEST

static uint32_t hash_of(const void *what, uint32_t number)
{
    return ((const uint32_t *)what)[number] % 37; /* of thousands of keys: nearly all collide */
}

static int64_t find(const struct cs_table *t, const uint32_t *keys, uint32_t key)
{
    int64_t i;
    for (uint32_t at = cs_table_first(t, key % 37); (i = cs_table_at(t, at)) >= 0; at = cs_table_next(t, at))
        if (keys[i] == key)
            return i;
    return -1;
}

START_TEST(table_against_list)
{
    static uint32_t keys[3000];
    uint32_t n = 0, x = 1;
    struct cs_table t = {0};
    for (int step = 0; step < 9000; step++) {
        x = x * 1103515245 + 12345;
        uint32_t key = x >> 16 & 0xfff;
        int64_t at = find(&t, keys, key), expected = -1;
        for (uint32_t i = 0; i < n; i++)
            if (keys[i] == key)
                expected = i;
        ck_assert_int_eq(at, expected);
        if (at >= 0 || n == 3000)
            continue;
        keys[n] = key;
        ck_assert(cs_table_reserve(&t, hash_of, keys));
        cs_table_put(&t, key % 37, n++);
        ck_assert_uint_eq(t.n, n);
    }
    ck_assert_uint_gt(n, 1000);
    cs_table_clear(&t);
    ck_assert_uint_eq(t.n, 0);
    ck_assert_int_eq(find(&t, keys, keys[0]), -1);
    cs_table_put(&t, keys[5] % 37, 5);
    ck_assert_int_eq(find(&t, keys, keys[5]), 5);
    cs_table_free(&t);
    ck_assert_int_eq(find(&t, keys, keys[0]), -1);
}
END_TEST

/* Expressions, and what they are on rank 2 of 5 the fourth time; or what is wrong with them. */
START_TEST(expressions)
{
    static const struct {
        const char *text, *answer;
    } cases[] = {
        {"7", "7"},
        {" 2*rank + 1 ", "5"},
        {"2+3*4-1", "13"},
        {"(2+3)*4", "20"},
        {"20-5-4", "11"},
        {"-3", "-3"},
        {"- -3", "3"},
        {"-rank*2", "-4"},
        {"7/2", "3"},
        {"-7/2", "-3"},
        {"-7%4", "-3"},
        {"1/0", "0"},
        {"1%(rank-2)", "0"},
        {"(-9223372036854775807-1)/-1", "-9223372036854775808"},
        {"(-9223372036854775807-1)%(1-rank)", "0"},
        {"9223372036854775807+1", "-9223372036854775808"},
        {"min(size, 3)+max(rank,iteration)", "6"},
        {"rank<size-1", "1"},
        {"rank>=size", "0"},
        {"(rank==2)*100", "100"},
        {"rank!=2", "0"},
        {"!rank", "0"},
        {"!(rank>2)", "1"},
        {"rank<=1", "0"},
        {"size>4", "1"},
        {"pick(rank,10,20,30)", "30"},
        {"pick(iteration,10,20,-30)", "10"},
        {"pick(-1,10,20)", "10"},
        {"pick(rank,1,2,pick(iteration,4,5,6,7))", "7"},
        {"dims(12,2,0)*10+dims(12,2,1)", "43"},
        {"dims(size+25,3,2)", "2"},
        {"rank/dims(8,3,2)%dims(8,3,1)", "1"},
        {"dims(-5,3,0)", "1"},
        {"near(0,1,0)", "1"}, /* five ranks are in a row */
        {"near(iteration, 0, 1)", "3"},
        {"near(rank,2,1,0)", "1"},
        {"toward(0,0,1)", "1"},
        {"toward(1,2,1,0)", "4"},
        {"near(1,0)", "',' is missing at ')'"},
        {"near(1,0,0)", "near(k, a, b, c) needs the numbers of two or three dimensions, each once at ')'"},
        {"toward(1,0,3)", "near(k, a, b, c) needs the numbers of two or three dimensions, each once at '3)'"},
        {"near(1,0,1,2,0)", "')' is missing at ',0)'"},
        {"", "a value is missing at its end"},
        {"1+", "a value is missing at its end"},
        {"1 2", "an operator is missing at '2'"},
        {"(1", "')' is missing at its end"},
        {"min(1)", "',' is missing at ')'"},
        {"min 1", "'(' is missing at '1'"},
        {"pick(1)", "pick() needs values at ')'"},
        {"dims(8,3)", "',' is missing at ')'"},
        {"dims(8,3,3)", "dims(n, d, i) needs numbers of dimensions, i below d at '3)'"},
        {"dims(8,rank,0)", "dims(n, d, i) needs numbers of dimensions, i below d at 'rank,0)'"},
        {"ranks", "only rank, size, iteration, min, max, pick, dims, near and toward are known at 'ranks'"},
        {"1x", "this is no whole number at '1x'"},
        {"99999999999999999999", "the number is too large at '99999999999999999999'"},
    };
    static const struct cs_expr_values at = {2, 5, 3};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cs_expr e;
        char got[160];
        if (cs_expr_parse(cases[i].text, &e, got, sizeof got) == 0)
            snprintf(got, sizeof got, "%lld", (long long)cs_expr_value(&e, &at));
        ck_assert_msg(!strcmp(got, cases[i].answer), "%s: %s", cases[i].text, got);
    }
}
END_TEST

/* What is too long or too deep is refused. */
START_TEST(long_expressions)
{
    static char text[1 << 15];
    struct cs_expr e;
    char err[160];
    memset(text, '(', 20000);
    ck_assert_int_eq(cs_expr_parse(text, &e, err, sizeof err), -1);
    memset(text, '!', 20000);
    ck_assert_int_eq(cs_expr_parse(text, &e, err, sizeof err), -1);
    for (int i = 0; i < 10000; i++)
        memcpy(text + 2 * i, "1+", 2);
    text[20001] = '1';
    ck_assert_int_eq(cs_expr_parse(text, &e, err, sizeof err), -1);
    memcpy(text, "pick(0,", 7);
    for (int i = 0; i < 9000; i++)
        memcpy(text + 7 + 2 * i, "1,", 2);
    ck_assert_int_eq(cs_expr_parse(text, &e, err, sizeof err), -1);
}
END_TEST

/* What a recorded run tells of a value becomes the shortest expression that gives it. */
START_TEST(recorded_values)
{
    static const struct {
        const char *line, *answer;
        bool exact;
    } cases[] = {
        {"a.c:1:n was 7 to 7, 7 in the mean, 4 times; by rank 7 7 -", "7", true},
        {"a.c:1:n was 5 to 9, 7 in the mean, 6 times; by rank 5 7 9", "5+2*rank", true},
        {"a.c:1:n was 5 to 9, 7 in the mean, 6 times; by rank 5 9 -", "pick(rank,5,9,7)", true},
        {"a.c:1:n was 1 to 3, 2 in the mean, 6 times; by rank 3,1,2 3,1,2", "pick(iteration,3,1,2)", true},
        {"a.c:1:n was 1 to 3, 2 in the mean, 8 times; by rank 3,1,3,1 3,1,3,1", "pick(iteration,3,1)", true},
        {"a.c:1:n was 1 to 3, 2 in the mean, 8 times; by rank 3,1,3,1,1 3,1,3,1,1", "pick(iteration,3,1,3,1,1)", true},
        {"a.c:1:n was 3 to -1, 1 in the mean, 6 times; by rank 3,1,-1 3,1,-1", "3+-2*iteration", true},
        {"a.c:1:n was 1 to 8, 4 in the mean, 5 times; by rank 1,8 4 2,5,2",
         "pick(rank,pick(iteration,1,8),4,pick(iteration,2,5))", true},
        {"a.c:1:n was 0 to 2, 1 in the mean, 900 times; by rank (0,2)x150 1 1", "pick(rank,pick(iteration,0,2),1,1)",
         true},
        {"a.c:1:n was 0 to 9, 1 in the mean, 300 times; by rank 9,(0,2)x149,0",
         "pick(pick((iteration>=1),2,0)+(iteration+pick((iteration>=1),0,1))%pick((iteration>=1),1,2),0,2,9)", true},
        {"a.c:1:n was 1 to 9, 5 in the mean, 900 times; by rank 1:5:9 2,8", "5", false},
        {"a.c:1:n was 1 to 9, 5 in the mean, 900 times; by rank 1:2:9 8,9", "pick(rank,2,pick(iteration,8,9))", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cs_recorded_value v;
        bool is;
        ck_assert(cs_recorded_value_read(&v, cases[i].line, &is) && is);
        char *got = cs_recorded_value_expression(&v);
        ck_assert_msg(got && !strcmp(got, cases[i].answer), "%s: %s", cases[i].line, got);
        ck_assert_msg(cs_recorded_value_exact(&v) == cases[i].exact, "%s", cases[i].line);
        free(got);
        cs_recorded_value_free(&v);
    }
}
END_TEST

/* Of runs on two numbers of ranks it is what holds on any; "" where nothing does. */
START_TEST(recorded_on_any_number_of_ranks)
{
    static const struct {
        const char *place, *three, *four, *answer;
        bool exact;
    } cases[] = {
        {"a.c:1:n", "7 to 7, 7 in the mean, 3 times; by rank 7 7 7", "7 to 7, 7 in the mean, 4 times; by rank 7 7 7 7",
         "7", true},
        {"a.c:1:n", "0 to 2, 1 in the mean, 3 times; by rank 0 1 2", "0 to 3, 2 in the mean, 4 times; by rank 0 1 2 3",
         "rank", true},
        {"a.c:1:n", "3 to 3, 3 in the mean, 3 times; by rank 3 3 3", "4 to 4, 4 in the mean, 4 times; by rank 4 4 4 4",
         "size", true},
        {"a.c:1:n", "0 to 2, 1 in the mean, 3 times; by rank 1 2 0", "0 to 3, 2 in the mean, 4 times; by rank 1 2 3 0",
         "(rank+1)%size", true},
        {"a.c:1:n", "0 to 4, 2 in the mean, 3 times; by rank 0 1 4", "0 to 9, 4 in the mean, 4 times; by rank 0 1 4 9",
         "", false},
        {"a.c:1:n", "90 to 210, 150 in the mean, 6 times; by rank 100,200 90,210 100,200",
         "99 to 200, 150 in the mean, 8 times; by rank 101,200 100,200 99,200 100,200", "pick(iteration,99,201)",
         false},
        {"a.c:1:size", "90 to 100, 95 in the mean, 3 times; by rank 92 91 90",
         "90 to 100, 95 in the mean, 4 times; by rank 92 99 100 97", "100", false},
        {"a.c:1:n", "0 to 30, 12 in the mean, 6 times; by rank 0,30 0,15 0,25",
         "0 to 28, 12 in the mean, 8 times; by rank 0,26 0,23 0,22 0,28", "pick(iteration,0,24)", false},
        {"a.c:1:color", "90 to 100, 95 in the mean, 3 times; by rank 92 91 90",
         "90 to 100, 95 in the mean, 4 times; by rank 92 99 100 97", "", false},
        {"a.c:1:n", "0 to 1, 1 in the mean, 3 times; by rank 0 1 1", "0 to 1, 1 in the mean, 4 times; by rank 1 1 0 0",
         "", false},
        {"a.c:1=N", "90 to 100, 95 in the mean, 3 times; by rank 92 91 90",
         "90 to 100, 95 in the mean, 4 times; by rank 92 99 100 97", "", false},
        {"a.c:1=N", "20 to 30, 23 in the mean, 9 times; by rank 20,30,20 20,30,20 20,30,20",
         "20 to 31, 23 in the mean, 16 times; by rank 20,31,20,20 20,31,20,20 20,31,20,20 20,31,20,20",
         "pick(iteration,20,31,20,20)", false},
        {"a.c:1=N", "20 to 30, 23 in the mean, 9 times; by rank 20,30,20 20,30,20 20,30,20",
         "20 to 50, 23 in the mean, 16 times; by rank 20,50,20,20 20,50,20,20 20,50,20,20 20,50,20,20", "", false},
        {"a.c:1=N", "20 to 30, 23 in the mean, 9 times; by rank 20,30,20 20,30,20 20,31,20",
         "20 to 31, 23 in the mean, 16 times; by rank 20,31,20,20 20,31,20,20 20,31,20,20 20,31,20,20", "", false},
        {"a.c:1=N", "50 to 50, 50 in the mean, 3 times; by rank 50 50 50",
         "9 to 60, 50 in the mean, 5 times; by rank 60,60 60,60 60,60 60,60", "pick(iteration,60)", false},
        {"a.c:1=N", "20 to 20, 20 in the mean, 3 times; by rank 20 20 20",
         "9 to 60, 50 in the mean, 5 times; by rank 60,60 60,60 60,60 60,60", "", false},
        {"a.c:1:n", "0 to 900, 450 in the mean, 900 times; by rank 0:450:900 0:450:900 0:450:900",
         "0 to 900, 450 in the mean, 900 times; by rank 0:450:900 0:450:900 0:450:900 0:450:900", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cs_recorded_value v, also;
        char line[400];
        bool is;
        snprintf(line, sizeof line, "%s was %s", cases[i].place, cases[i].three);
        ck_assert(cs_recorded_value_read(&v, line, &is) && is);
        snprintf(line, sizeof line, "%s was %s", cases[i].place, cases[i].four);
        ck_assert(cs_recorded_value_read(&also, line, &is) && is);
        v.also = memcpy(malloc(sizeof also), &also, sizeof also);
        v.any_size = true;
        v.least = also.least < v.least ? also.least : v.least;
        v.most = also.most > v.most ? also.most : v.most;
        char *got = cs_recorded_value_expression(&v);
        ck_assert_msg(got && !strcmp(got, cases[i].answer), "%s: %s", cases[i].four, got);
        ck_assert_msg(cs_recorded_value_exact(&v) == cases[i].exact, "%s", cases[i].four);
        free(got);
        cs_recorded_value_free(&v);
    }
}
END_TEST

/* How far an expression is from what ranks had. */
START_TEST(recorded_off)
{
    static const struct {
        const char *line, *expression;
        double off;
    } cases[] = {
        {"a.c:1:n was 20 to 20, 20 in the mean, 3 times; by rank 20 20 20", "20", 0},
        {"a.c:1:n was 18 to 20, 19 in the mean, 3 times; by rank 20 20 18", "20", 1 / 9.0},
        {"a.c:1:n was 10 to 30, 19 in the mean, 6 times; by rank 10,20 20,30 30,10", "10*(rank+iteration+1)", 3},
        {"a.c:1:n was 0 to 1, 1 in the mean, 2 times; by rank 0 1", "1", 1},
        {"a.c:1:n was 1 to 1, 1 in the mean, 2 times; by rank 1 1", "1+", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cs_recorded_value v;
        bool is;
        ck_assert(cs_recorded_value_read(&v, cases[i].line, &is) && is);
        ck_assert_double_eq_tol(cs_recorded_off(&v, cases[i].expression), cases[i].off, 1e-9);
        cs_recorded_value_free(&v);
    }
}
END_TEST

/* Number i of a made-up program: `prefix` numbers that are no others, then `period` of them over and over, of which
 * the last is the first, and one more of them after each `set`. */
static int64_t sample(int64_t i, int prefix, int period, int set)
{
    i -= prefix;
    return i < 0 ? 1000 + i * i : (i + i / set) % period % (period - 1) * 7;
}

/* What comes again is found, in few numbers, and its text and its expression give each number in its order. */
START_TEST(series)
{
    static const struct {
        int n, prefix, period, set, room;
    } cases[] = {{1, 0, 2, 9999, 20},       {100, 0, 3, 9999, 120},      {127, 90, 5, 9999, 200},
                 {300, 0, 2, 9999, 20},     {5000, 0, 33, 9999, 50},     {5000, 20, 33, 9999, 80},
                 {20000, 7, 33, 1653, 750}, {100000, 0, 200, 9999, 2700}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct cs_series s = {0}, again;
        char *text[2] = {NULL}, err[200];
        const char *at;
        size_t size;
        struct cs_expr e;
        for (int i = 0; i < cases[c].n; i++)
            cs_series_add(&s, sample(i, cases[c].prefix, cases[c].period, cases[c].set));
        ck_assert(!s.unknown && s.times == cases[c].n);
        ck_assert_msg(cs_series_room(&s) <= cases[c].room, "case %zu: room %lld", c, (long long)cs_series_room(&s));
        for (int i = 0; i < 2; i++) {
            FILE *f = open_memstream(&text[i], &size);
            ck_assert(f);
            i ? cs_series_expression(f, &again) : cs_series_print(f, &s);
            ck_assert(fclose(f) == 0);
            at = text[0];
            ck_assert(i || (cs_series_read(&again, &at) && !*at));
        }
        ck_assert(again.times == s.times && cs_series_mean(&again) == cs_series_mean(&s));
        ck_assert_msg(cs_expr_parse(text[1], &e, err, sizeof err) == 0, "%s: %s", text[1], err);
        for (int64_t i = 0; i < cases[c].n; i++) {
            struct cs_expr_values v = {.iteration = i};
            ck_assert_msg(cs_expr_value(&e, &v) == sample(i, cases[c].prefix, cases[c].period, cases[c].set),
                          "case %zu, %lld: %s", c, (long long)i, text[1]);
        }
        free(text[0]);
        free(text[1]);
        cs_series_free(&s);
        cs_series_free(&again);
    }
}
END_TEST

/* Numbers among which nothing comes again are not kept without end. */
START_TEST(series_without_end)
{
    struct cs_series s = {0};
    uint64_t x = 1;
    for (int i = 0; i < 100000; i++)
        cs_series_add(&s, (int64_t)((x = x * 6364136223846793005 + 1) >> 40));
    ck_assert(s.unknown && s.times == 100000 && !s.value && !s.run);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("base");
    TCase *c = tcase_create("all");
    tcase_add_test(c, grows_and_keeps);
    tcase_add_test(c, grows_by_size_t);
    tcase_add_test(c, too_much);
    tcase_add_test(c, one_more);
    tcase_add_test(c, file_kinds);
    tcase_add_test(c, expressions);
    tcase_add_test(c, long_expressions);
    tcase_add_test(c, recorded_values);
    tcase_add_test(c, recorded_on_any_number_of_ranks);
    tcase_add_test(c, recorded_off);
    tcase_add_test(c, series);
    tcase_add_test(c, series_without_end);
    tcase_add_test(c, table_against_list);
    suite_add_tcase(s, c);
    return suite_main(s);
}
