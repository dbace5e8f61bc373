/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated loops against times by hand, and against a naive simulation that looks through all workers for the next
 * request. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "balance/simulate/item_costs.h"
#include "balance/simulate/simulate.h"
#include "balance/techniques/handout.h"
#include "suite.h"

enum { ITEMS = 600, WORKERS = 12 };

static uint64_t seed;

/* splitmix64, from 0 to n - 1 */
static int any(int n)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int)((z ^ z >> 31) % (uint64_t)n);
}

static struct cs_simulated simulate(const struct cs_simulation *s, const char *technique)
{
    struct cs_simulated r;
    ck_assert_int_eq(cs_simulate(s, cs_technique_find(technique), &r), 0);
    return r;
}

static void equal_seconds(double is, double should)
{
    ck_assert_double_eq_tol(is, should, 1e-9 * should);
}

/* 10 items of 1 s; workers of speeds 1 and 4. */
START_TEST(blocks_by_hand)
{
    static const double speed[] = {1, 4};
    double before[11];
    cs_item_costs_fill(&(struct cs_item_costs){CS_COST_CONSTANT, 1, 0}, 10, 1, before);
    struct cs_simulation s = {10, 0, before, 2, speed, speed, CS_FROM_WORKER, 0.1, 0.01};
    equal_seconds(simulate(&s, "static").seconds, 5);
    equal_seconds(simulate(&s, "static").mean, (5 + 1.25) / 2);
    equal_seconds(simulate(&s, "vrp").seconds, 2);
    ck_assert_int_eq(simulate(&s, "vrp").messages, 0);
    /* They are of the same speed, and vrp-dynamic sees it in the first loop. */
    static const double real[] = {2, 2};
    s.real = real;
    equal_seconds(simulate(&s, "vrp").seconds, 4);
    equal_seconds(simulate(&s, "vrp-dynamic").seconds, 2.5);
}
END_TEST

/* A leader and one worker: each item costs a request, an answer and two messages. Many workers: the leader is busy. */
START_TEST(chunks_by_hand)
{
    double before[101], speed[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        speed[i] = 1;
    cs_item_costs_fill(&(struct cs_item_costs){CS_COST_CONSTANT, 0.5, 0}, 100, 1, before);
    struct cs_simulation s = {100, 0, before, 1, speed, speed, CS_FROM_LEADER, 0.01, 0.2};
    struct cs_simulated r = simulate(&s, "ss");
    equal_seconds(r.seconds, 100 * (0.5 + 0.2 + 2 * 0.01));
    ck_assert(r.chunks == 100 && r.messages == 202);
    s.workers = WORKERS;
    r = simulate(&s, "ss");
    equal_seconds(r.seconds, 0.01 + 100 * 0.2 + 0.01 + 0.5);
    /* In counters, weighted factoring looks before it adds: two messages to and fro where gss needs one, and one look
     * at the end. One worker, which is where the counters are, needs none. */
    s.way = CS_FROM_COUNTERS;
    s.workers = 1;
    ck_assert_int_eq(simulate(&s, "wf").messages, 0);
    s.way = CS_FROM_LEADER;
    ck_assert_int_eq(simulate(&s, "gss").messages, 2 * simulate(&s, "gss").chunks + 2);
}
END_TEST

/* The same by looking through all workers, for ways in which worker 0 is as the others. */
static double naive(const struct cs_simulation *s, const struct cs_technique *t)
{
    struct cs_handout h;
    double at[WORKERS], last[WORKERS] = {0}, answered = 0, end = 0;
    int64_t had[WORKERS] = {0}, first;
    ck_assert_int_eq(cs_handout_init(&h, t, s->workers, s->chunk, s->speed), 0);
    ck_assert_int_eq(cs_handout_loop(&h, s->items, NULL), 0);
    for (int w = 0; w < s->workers; w++)
        at[w] = s->latency;
    for (;;) {
        int w = 0;
        for (int i = 1; i < s->workers; i++)
            w = at[i] < at[w] ? i : w;
        if (isinf(at[w]))
            break;
        answered = fmax(at[w], answered) + s->service;
        cs_handout_note(&h, w, had[w], last[w]);
        had[w] = cs_handout_take(&h, w, &first);
        last[w] = (s->before[first + had[w]] - s->before[first]) / s->real[w];
        double done = answered + s->latency + last[w];
        at[w] = had[w] ? done + s->latency : INFINITY;
        end = had[w] ? fmax(end, done) : end;
    }
    cs_handout_free(&h);
    return end;
}

START_TEST(as_the_naive_one)
{
    const struct cs_technique *t = &cs_techniques[_i];
    double before[ITEMS + 1], speed[WORKERS], real[WORKERS];
    for (int c = 0; c < 400 && t->kind != CS_CHUNK_BLOCK; c++) {
        seed = (uint64_t)c * 100 + (uint64_t)_i;
        struct cs_item_costs costs = {(enum cs_cost_law)any(4), 0.001 * any(100), 0.001 * any(300)};
        struct cs_simulation s = {any(ITEMS) + 1, any(2) * any(50), before,          any(WORKERS) + 1, speed,
                                  real,           CS_FROM_LEADER,   0.001 * any(10), 0.0001 * any(30)};
        for (int i = 0; i < WORKERS; i++) {
            speed[i] = any(40) * 0.1 + 0.1;
            real[i] = any(3) ? speed[i] : any(40) * 0.1 + 0.1;
        }
        cs_item_costs_fill(&costs, s.items, seed, before);
        ck_assert_double_eq_tol(simulate(&s, t->name).seconds, naive(&s, t), 1e-9);
    }
}
END_TEST

/* Nothing is faster than all work over the summed speed, and nothing ends before the mean. */
START_TEST(not_below_the_ideal)
{
    double before[ITEMS + 1], speed[WORKERS];
    for (seed = 1; seed < 300; seed++) {
        double sum = 0;
        struct cs_item_costs costs = {(enum cs_cost_law)any(4), 0.001 * any(100) + 1e-5, 0.001 * any(300)};
        struct cs_simulation s = {
            any(ITEMS) + 1,  0, before, any(WORKERS) + 1, speed, speed, (enum cs_simulated_way)any(3), 0.0001 * any(10),
            0.0001 * any(10)};
        for (int i = 0; i < s.workers; i++)
            sum += speed[i] = any(40) * 0.1 + 0.1;
        cs_item_costs_fill(&costs, s.items, seed, before);
        struct cs_simulated r = simulate(&s, cs_techniques[_i].name);
        ck_assert(r.seconds >= before[s.items] / sum * (1 - 1e-9) && r.mean <= r.seconds * (1 + 1e-9) && r.chunks > 0);
    }
}
END_TEST

/* Worker 0 hands out and works: its items take longer by the requests that it answers meanwhile. */
START_TEST(leader_works)
{
    static const double speed[] = {1, 1000};
    double before[3] = {0, 1, 1.5};
    /* It gets the first item at once; the other one asks at 0.1, waits for half a piece, which is the item. */
    struct cs_simulation s = {2, 0, before, 2, speed, speed, CS_FROM_WORKER, 0.1, 0.2};
    struct cs_simulated r = simulate(&s, "ss");
    /* Answered at 0.1 + 0.5 + 0.2, and again at 0.8 + 0.1 + 0.0005 + 0.1, each of which takes 0.2. */
    equal_seconds(r.seconds, 1 + 0.2 + 0.2);
}
END_TEST

/* Laws: first and last, middle, mean and deviation. */
START_TEST(laws)
{
    enum { MANY = 100000 };
    double *before = malloc((MANY + 1) * sizeof *before), squares = 0;
    cs_item_costs_fill(&(struct cs_item_costs){CS_COST_LINEAR, 1, 3}, 5, 1, before);
    ck_assert(before[1] == 1 && fabs(before[5] - before[4] - 3) < 1e-12 && fabs(before[5] - 10) < 1e-12);
    cs_item_costs_fill(&(struct cs_item_costs){CS_COST_HEAVY, 1, 30}, 5, 1, before);
    ck_assert(before[2] == 2 && before[3] == 32 && before[5] == 34);
    cs_item_costs_fill(&(struct cs_item_costs){CS_COST_GAUSSIAN, 10, 2}, MANY, 1, before);
    for (int i = 0; i < MANY; i++)
        squares += pow(before[i + 1] - before[i] - 10, 2);
    ck_assert_double_eq_tol(before[MANY] / MANY, 10, 0.03);
    ck_assert_double_eq_tol(sqrt(squares / MANY), 2, 0.03);
    cs_item_costs_fill(&(struct cs_item_costs){CS_COST_GAUSSIAN, 1, 5}, 1000, 1, before);
    for (int i = 0; i < 1000; i++)
        ck_assert(before[i + 1] >= before[i]);
    free(before);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("simulate");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, blocks_by_hand);
    tcase_add_test(c, chunks_by_hand);
    tcase_add_loop_test(c, as_the_naive_one, 0, cs_ntechniques);
    tcase_add_loop_test(c, not_below_the_ideal, 0, cs_ntechniques);
    tcase_add_test(c, leader_works);
    tcase_add_test(c, laws);
    Suite *s = suite_create("simulate");
    suite_add_tcase(s, c);
    return suite_main(s);
}
