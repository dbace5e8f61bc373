/* SPDX-License-Identifier: BSD-3-Clause
 * Techniques of handing out loops: sequences of the textbooks, and random loops, of which every item must be handed out
 * once, from one place and by racing ranks. usage: test_techniques [CASES] */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "balance/techniques/handout.h"
#include "suite.h"

enum { MOST_WORKERS = 40, MOST_CHUNKS = 4000 };

static uint64_t seed;
static int cases;

/* splitmix64, from 0 to n - 1 */
static int64_t any(int64_t n)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int64_t)((z ^ z >> 31) % (uint64_t)n);
}

/* The sizes of all chunks, when workers ask in turn, as words; ends with 0. */
static const char *sequence(const char *technique, int64_t items, int workers, int64_t chunk, const double *speed)
{
    static char text[65536];
    struct cs_handout h;
    size_t n = 0;
    int64_t first, next = 0, size;
    ck_assert_int_eq(cs_handout_init(&h, cs_technique_find(technique), workers, chunk, speed), 0);
    ck_assert_int_eq(cs_handout_loop(&h, items, NULL), 0);
    *text = '\0';
    for (int i = 0; (size = cs_handout_take(&h, i % workers, &first)) > 0; i++) {
        ck_assert_int_eq(first, next);
        next = first + size;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%lld", n ? " " : "", (long long)size);
    }
    ck_assert_int_eq(next, items);
    cs_handout_free(&h);
    return text;
}

/* 1000 items on 4 workers: the example of the literature. GSS: Polychronopoulos and Kuck, 1987. TSS(125, 1): Tzen and
 * Ni, 1993. FAC2: Hummel, Schonberg, Flynn, 1992. */
START_TEST(textbook)
{
    ck_assert_str_eq(sequence("static", 1000, 4, 0, NULL), "250 250 250 250");
    ck_assert_str_eq(sequence("gss", 1000, 4, 0, NULL), "250 188 141 106 79 59 45 33 25 19 14 11 8 6 4 3 3 2 1 1 1 1");
    ck_assert_str_eq(sequence("tss", 1000, 4, 0, NULL), "125 117 109 101 93 85 77 69 61 53 45 37 28");
    ck_assert_str_eq(sequence("fac2", 1000, 4, 0, NULL), "125 125 125 125 63 63 63 63 31 31 31 31 16 16 16 16 8 8 8 8 "
                                                         "4 4 4 4 2 2 2 2 1 1 1 1");
    ck_assert_str_eq(sequence("css", 1000, 4, 300, NULL), "300 300 300 100");
    ck_assert_str_eq(sequence("ss", 5, 4, 0, NULL), "1 1 1 1 1");
    ck_assert_str_eq(sequence("gss", 10, 20, 0, NULL), "1 1 1 1 1 1 1 1 1 1");
}
END_TEST

/* Workers of speeds 1, 1, 2 and 4 and thrice as many items as batches halve: shares of 1/8, 1/8, 1/4, 1/2. */
START_TEST(by_speed)
{
    static const double speed[] = {1, 1, 2, 4};
    ck_assert_str_eq(sequence("vrp", 1000, 4, 0, speed), "125 125 250 500");
    ck_assert_str_eq(sequence("wf", 1024, 4, 0, speed), "64 64 128 256 32 32 64 128 16 16 32 64 8 8 16 32 4 4 8 16 "
                                                        "2 2 4 8 1 1 2 4 1 1 1 2 1 1 1");
    /* Half by speed, then chunks of 5, 5, 10, 20. */
    ck_assert_str_eq(
        sequence("vrp-ss", 1000, 4, 5, speed),
        "63 63 125 250 5 5 10 20 5 5 10 20 5 5 10 20 5 5 10 20 5 5 10 20 5 5 10 20 5 5 10 20 5 5 10 20 5 5 "
        "10 20 5 5 10 20 5 5 10 20 5 5 10 20 5 5 9");
}
END_TEST

/* What is measured, and not what is said, decides: worker 1 is thrice as fast as worker 0. */
START_TEST(by_measure)
{
    struct cs_handout h;
    int64_t first, size[2];
    ck_assert_int_eq(cs_handout_init(&h, cs_technique_find(_i ? "af" : "awf"), 2, 0, NULL), 0);
    ck_assert_int_eq(cs_handout_loop(&h, 100000, NULL), 0);
    for (int round = 0; round < 3; round++)
        for (int w = 0; w < 2; w++) {
            size[w] = cs_handout_take(&h, w, &first);
            cs_handout_note(&h, w, size[w], (double)size[w] * (w ? 1 : 3) * (round % 2 ? 1.01 : 0.99));
        }
    ck_assert_double_eq_tol((double)size[1] / (double)size[0], 3, _i ? 1.5 : 0.05);
    ck_assert_int_gt(size[1], 2 * size[0]);
    cs_handout_free(&h);
}
END_TEST

/* AF against its formula, with numbers by hand: two workers that need 1 and 2 seconds for an item, variances of 0.04 n
 * and 0.16 n from chunks that differ by 10 %. */
START_TEST(adaptive_formula)
{
    struct cs_worker_pace w[2] = {0};
    struct cs_pace_sums sums = {0};
    struct cs_work_loop loop;
    cs_work_loop_init(&loop, 10000, 2, 0, NULL);
    for (int i = 0; i < 4; i++) {
        double mean = i % 2 + 1;
        struct cs_pace_sums change = cs_pace_note(&w[i % 2], 1, 4, 4 * mean * (i < 2 ? 0.9 : 1.1));
        cs_pace_sums_add(&sums, &change);
    }
    /* Variance of an item: (4 * 0.01 + 4 * 0.01) / 1 times the mean's square. */
    double d = 0.08 / 1 + 0.32 / 2, e = 1 / (1 + 0.5), rest = 9000;
    struct cs_chunk_question q = {.loop = &loop, .next = 1000, .taken = 2, .worker = 1, .pace = &w[1], .sums = &sums};
    double size = (d + 2 * e * rest - sqrt(d * d + 4 * d * e * rest)) / (2 * 2);
    ck_assert_int_eq(cs_chunk_size(cs_technique_find("af"), &q), (int64_t)(size + 0.5));
}
END_TEST

/* A random loop: sizes of all orders, speeds that are far apart. */
static void random_loop(int64_t *items, int *workers, int64_t *chunk, double *speed)
{
    *items = any(4) ? any(any(2) ? 50 : 2000) : any(8) ? 0 : any(100000);
    *workers = (int)any(any(2) ? 4 : MOST_WORKERS) + 1;
    *chunk = any(2) ? 0 : any(any(2) ? 10 : 3000);
    for (int i = 0; i < *workers; i++)
        speed[i] = pow(10, (double)any(400) / 100 - 2);
}

static void mark(unsigned char *seen, int64_t first, int64_t size, int64_t items)
{
    bool once = size > 0 && first >= 0 && first + size <= items;
    for (int64_t i = first; once && i < first + size; i++)
        once = !seen[i]++;
    if (!once) /* each assertion that Check counts costs a call of the system */
        ck_abort_msg("%lld items from %lld of %lld: not once", (long long)size, (long long)first, (long long)items);
}

static void all_marked(const unsigned char *seen, int64_t items)
{
    ck_assert(items == 0 || (seen[0] == 1 && memcmp(seen, seen + 1, (size_t)items - 1) == 0));
}

/* Chunks from one place, to workers that ask in any order, and stop asking; the last one takes what is left. */
START_TEST(once_from_one_place)
{
    unsigned char *seen = malloc(100000);
    double speed[MOST_WORKERS];
    for (int c = 0; c < cases; c++) {
        struct cs_handout h;
        int64_t items, chunk, first, size;
        int workers;
        seed = (uint64_t)c * 100 + (uint64_t)_i;
        random_loop(&items, &workers, &chunk, speed);
        memset(seen, 0, (size_t)items);
        ck_assert_int_eq(cs_handout_init(&h, &cs_techniques[_i], workers, chunk, any(2) ? speed : NULL), 0);
        ck_assert_int_eq(cs_handout_loop(&h, items, NULL), 0);
        for (int64_t left = items; left > 0;) {
            int w = (int)any(workers);
            if ((size = cs_handout_take(&h, w, &first)) == 0)
                continue;
            mark(seen, first, size, items);
            left -= size;
            if (any(3))
                cs_handout_note(&h, w, size, any(3) ? (double)size * (double)any(1000) / speed[w] : 0);
        }
        ck_assert(h.block || cs_handout_take(&h, (int)any(workers), &first) == 0);
        all_marked(seen, items);
        cs_handout_free(&h);
    }
    free(seen);
}
END_TEST

/* A rank that calculates its chunks itself: what it last read, and where its next one goes on. */
struct racer {
    struct cs_chunk_sequence at;
    struct cs_worker_pace pace;
    int64_t read, taken;
    bool has_read, done;
};

/* One step of a rank: it reads, or adds and takes. Returns the items that it took. */
static int64_t race(struct racer *r, int worker, const struct cs_technique *t, const struct cs_work_loop *l,
                    int64_t *step, int64_t *next, int64_t *first)
{
    static const struct cs_pace_sums sums;
    if (t->kind == CS_CHUNK_STEP)
        return cs_chunk_at_step(t, l, &r->at, (*step)++, first);
    if (!r->has_read) {
        r->read = (t->flags & CS_ANYWHERE) ? 0 : *next;
        r->has_read = true;
        r->done = r->read >= l->items;
        return 0;
    }
    struct cs_chunk_question q = {.loop = l,
                                  .next = r->read,
                                  .taken = r->taken++,
                                  .worker = worker,
                                  .pace = &r->pace,
                                  .sums = &sums,
                                  .batch = &r->at.batch};
    int64_t size = cs_chunk_size(t, &q);
    *first = *next;
    *next += size;
    r->has_read = false;
    return *first >= l->items ? 0 : *first + size > l->items ? l->items - *first : size;
}

/* Chunks that ranks calculate themselves from counters, in any order of reading and adding. */
START_TEST(once_by_racing_ranks)
{
    const struct cs_technique *t = &cs_techniques[_i];
    unsigned char *seen = malloc(100000);
    double speed[MOST_WORKERS];
    for (int c = 0; c < cases && t->kind != CS_CHUNK_BLOCK; c++) {
        struct racer racer[MOST_WORKERS] = {0};
        struct cs_work_loop l;
        int64_t items, chunk, step = 0, next = 0, first, size;
        int workers, racing;
        seed = (uint64_t)c * 100 + (uint64_t)_i;
        random_loop(&items, &workers, &chunk, speed);
        memset(seen, 0, (size_t)items);
        cs_work_loop_init(&l, items, workers, chunk, any(2) ? speed : NULL);
        for (racing = items ? workers : 0; racing > 0;) {
            int w = (int)any(workers);
            if (racer[w].done)
                continue;
            size = race(&racer[w], w, t, &l, &step, &next, &first);
            if (size)
                mark(seen, first, size, items);
            else if (!racer[w].has_read)
                racer[w].done = true;
            racing -= racer[w].done;
        }
        all_marked(seen, items);
    }
    free(seen);
}
END_TEST

/* Ranks that calculate see the chunks that one place hands out, at whatever steps they look. */
START_TEST(same_chunks_either_way)
{
    const struct cs_technique *t = &cs_techniques[_i];
    for (int c = 0; c < 300 && t->kind == CS_CHUNK_STEP; c++) {
        struct cs_handout h;
        struct cs_chunk_sequence s = {0};
        double speed[MOST_WORKERS];
        int64_t items, chunk, first, at_step, size;
        int workers;
        bool same = true;
        seed = (uint64_t)c * 100 + (uint64_t)_i;
        random_loop(&items, &workers, &chunk, speed);
        ck_assert_int_eq(cs_handout_init(&h, t, workers, chunk, NULL), 0);
        ck_assert_int_eq(cs_handout_loop(&h, items, NULL), 0);
        for (int64_t step = 0; (size = cs_handout_take(&h, 0, &first)) > 0; step++)
            if (any(3) == 0) {
                same &= cs_chunk_at_step(t, &h.loop, &s, step, &at_step) == size && at_step == first;
            }
        ck_assert(same);
        ck_assert_int_eq(cs_chunk_at_step(t, &h.loop, &s, h.at.step + any(5), &at_step), 0);
        cs_handout_free(&h);
    }
}
END_TEST

/* Shares are their exact part rounded down or up, and add up. */
START_TEST(shares_add_up)
{
    for (seed = 1; seed < 20000; seed++) {
        double weight[MOST_WORKERS], sum = 0;
        int64_t share[MOST_WORKERS], total = 0, items = any(any(2) ? 100 : CS_MOST_ITEMS);
        int n = (int)any(MOST_WORKERS) + 1;
        for (int i = 0; i < n; i++)
            sum += weight[i] = any(5) || i == 0 ? pow(10, (double)any(600) / 100 - 3) : 0;
        ck_assert_int_eq(cs_shares_by_weight(items, n, weight, share), 0);
        bool exact = true;
        for (int i = 0; i < n; i++) {
            exact &= share[i] >= 0 &&
                     (fabs((double)share[i] - (double)items * weight[i] / sum) < 1 + 1e-15 * n * (double)items);
            total += share[i];
        }
        ck_assert(exact && total == items);
    }
}
END_TEST

/* Largest remainder, by hand: 0.6, 0.6 and 0.8 of 2 items; of parts that are alike the first ones are rounded up. */
START_TEST(largest_remainder)
{
    static const double weight[] = {3, 3, 4}, alike[] = {1, 1, 1, 1};
    int64_t share[4];
    ck_assert_int_eq(cs_shares_by_weight(2, 3, weight, share), 0);
    ck_assert(share[0] == 1 && share[1] == 0 && share[2] == 1);
    ck_assert_int_eq(cs_shares_by_weight(6, 4, alike, share), 0);
    ck_assert(share[0] == 2 && share[1] == 2 && share[2] == 1 && share[3] == 1);
}
END_TEST

/* Curves of any form: no worker could give an item to another one so that the last one is done earlier. */
START_TEST(finish_together)
{
    for (seed = 1; seed < 3000; seed++) {
        double size[8][4], seconds[8][4], last = 0;
        struct cs_time_curve curve[8];
        bool together = true;
        int64_t share[8], total = 0, items = any(100000) + 100;
        int n = (int)any(8) + 1;
        for (int i = 0; i < n; i++) {
            curve[i] = (struct cs_time_curve){(int)any(4) + 1, size[i], seconds[i]};
            for (int k = 0; k < curve[i].n; k++) {
                size[i][k] = (k ? size[i][k - 1] : 0) + (double)any(20000) + 1;
                seconds[i][k] = (k ? seconds[i][k - 1] : 0) + (double)any(1000) / 100 + 0.01;
            }
        }
        ck_assert_int_eq(cs_shares_by_curve(items, n, curve, share), 0);
        for (int i = 0; i < n; i++) {
            total += share[i];
            last = fmax(last, share[i] ? cs_curve_seconds(&curve[i], (double)share[i] - 1) : 0);
        }
        ck_assert_int_eq(total, items);
        for (int i = 0; i < n; i++)
            together &= cs_curve_seconds(&curve[i], (double)share[i] + 1) >= last * (1 - 1e-9);
        ck_assert(together);
    }
}
END_TEST

int main(int argc, char **argv)
{
    /* 21 times as many random loops: 10^6 in the long tier. */
    cases = argc > 1 ? atoi(argv[1]) : getenv("CS_LONG") ? 50000 : 2500;
    TCase *c = tcase_create("techniques");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, textbook);
    tcase_add_test(c, by_speed);
    tcase_add_loop_test(c, by_measure, 0, 2);
    tcase_add_test(c, adaptive_formula);
    tcase_add_loop_test(c, once_from_one_place, 0, cs_ntechniques);
    tcase_add_loop_test(c, once_by_racing_ranks, 0, cs_ntechniques);
    tcase_add_loop_test(c, same_chunks_either_way, 0, cs_ntechniques);
    tcase_add_test(c, shares_add_up);
    tcase_add_test(c, largest_remainder);
    tcase_add_test(c, finish_together);
    Suite *s = suite_create("techniques");
    suite_add_tcase(s, c);
    return suite_main(s);
}
