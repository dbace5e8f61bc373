/* SPDX-License-Identifier: BSD-3-Clause
 * Plans for loops under way: worth it or not, parts of blocks that move, and what a corrected plan saves of the time
 * that a worker's slow-down would cost, on simulated times. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "balance/techniques/handout.h"
#include "balance/techniques/replan.h"
#include "suite.h"

enum { WORKERS = 12, ITEMS = 20000 };

static uint64_t seed;

/* splitmix64, from 0 to n - 1 */
static int any(int n)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int)((z ^ z >> 31) % (uint64_t)n);
}

/* ---- a loop whose worker `slow` has `factor` of its speed from `onset` on ---- */

/* A worker: its chunk, and its last two. */
struct worker {
    int64_t at_work, last[2];
    double began, end, seconds[2];
    int64_t next, parts; /* of its block, in parts */
    bool gone;
};

/* The loop, with what came of it. plans: offered; late: chunks that the slow worker began after the onset and ended
 * before the first plan. */
struct loop {
    const char *technique;
    int workers, slow;
    int64_t items;
    double onset, factor, noise;
    const double *speed;
    bool correct;
    double seconds;
    int plans, late;
    double planned[WORKERS];
    struct worker at[WORKERS];
    int64_t block[WORKERS + 1];
    struct cs_handout handout;
    unsigned char done[ITEMS];
};

static double duration(const struct loop *l, int w, int64_t items, double now)
{
    double speed = l->speed[w], work = (double)items * (1 + l->noise * (any(2001) - 1000) / 1000);
    if (w != l->slow || now + work / speed <= l->onset)
        return work / speed;
    if (now >= l->onset)
        return work / (speed * l->factor);
    return l->onset - now + (work - (l->onset - now) * speed) / (speed * l->factor);
}

static bool in_blocks(const struct loop *l)
{
    return l->handout.technique->kind == CS_CHUNK_BLOCK;
}

static int64_t untaken(const struct loop *l, int w)
{
    int64_t items = l->block[w + 1] - l->block[w];
    return cs_block_part_begin(items, l->at[w].parts) - cs_block_part_begin(items, l->at[w].next);
}

/* As the library: own parts from the front, with a plan those of others from the end. */
static int64_t next_part(struct loop *l, int w, int64_t *first)
{
    struct cs_parts_left left[WORKERS];
    int of = w;
    for (int i = 0; i < l->workers; i++)
        left[i] = (struct cs_parts_left){l->block[i + 1] - l->block[i], l->at[i].parts - l->at[i].next};
    bool own = left[w].parts > 0;
    if (!own && (!l->plans || (of = cs_part_from(l->workers, left, l->planned, w)) < 0))
        return 0;
    int64_t part = own ? l->at[w].next++ : --l->at[of].parts, begin = cs_block_part_begin(left[of].items, part);
    *first = l->block[of] + begin;
    return cs_block_part_begin(left[of].items, part + 1) - begin;
}

/* As the monitor. */
static void look(struct loop *l, double now)
{
    struct cs_worker_seen seen[WORKERS];
    struct cs_replanned r;
    double speed[WORKERS], scratch[WORKERS];
    int64_t held = 0;
    for (int i = 0; i < l->workers; i++) {
        const struct worker *w = &l->at[i];
        double seconds = w->seconds[0] + w->seconds[1];
        double rate = seconds > 0 ? (double)(w->last[0] + w->last[1]) / seconds : 0;
        rate = cs_rate_by_now(rate, (double)w->at_work, now - w->began);
        double did = fmin((double)w->at_work, rate * (now - w->began));
        double left = (double)(w->at_work + (in_blocks(l) ? untaken(l, i) : 0)) - did;
        seen[i] = (struct cs_worker_seen){l->plans ? l->planned[i] : l->speed[i], rate, left, w->gone};
        held += w->at_work;
    }
    int64_t pool = in_blocks(l) ? 0 : l->items - l->handout.at.next;
    if (!cs_replan(l->workers, seen, (double)pool, in_blocks(l) && l->plans, speed, scratch, &r))
        return;
    l->plans++;
    memcpy(l->planned, speed, sizeof speed);
    if (!in_blocks(l))
        cs_work_loop_speeds(&l->handout.loop, l->planned);
}

static void go_on(struct loop *l, int w, double now)
{
    int64_t first, items = in_blocks(l) ? next_part(l, w, &first) : cs_handout_take(&l->handout, w, &first);
    l->at[w].at_work = items;
    l->at[w].gone = items == 0;
    l->at[w].began = now;
    l->at[w].end = now + (items ? duration(l, w, items, now) : 0);
    for (int64_t i = 0; i < items; i++)
        l->done[first + i]++;
    l->seconds = fmax(l->seconds, l->at[w].end);
}

static void end_chunk(struct loop *l, int w)
{
    struct worker *k = &l->at[w];
    k->last[1] = k->last[0];
    k->seconds[1] = k->seconds[0];
    k->last[0] = k->at_work;
    k->seconds[0] = k->end - k->began;
    l->late += w == l->slow && k->began >= l->onset && !l->plans;
    k->at_work = 0;
}

static void simulate(struct loop *l)
{
    ck_assert_int_eq(cs_handout_init(&l->handout, cs_technique_find(l->technique), l->workers, 0, l->speed), 0);
    ck_assert_int_eq(cs_handout_loop(&l->handout, l->items, NULL), 0);
    if (in_blocks(l))
        memcpy(l->block, l->handout.block, ((size_t)l->workers + 1) * sizeof *l->block);
    for (int w = 0; w < l->workers; w++)
        l->at[w].parts = in_blocks(l) ? cs_block_parts(l->block[w + 1] - l->block[w]) : 0;
    for (int w = 0; w < l->workers; w++)
        go_on(l, w, 0);
    for (;;) {
        int first = -1;
        for (int w = 0; w < l->workers; w++)
            if (!l->at[w].gone && (first < 0 || l->at[w].end < l->at[first].end))
                first = w;
        if (first < 0)
            break;
        double now = l->at[first].end;
        end_chunk(l, first);
        if (l->correct)
            look(l, now);
        go_on(l, first, now);
    }
    for (int64_t i = 0; i < l->items; i++)
        ck_assert_int_eq(l->done[i], 1);
    cs_handout_free(&l->handout);
}

/* Seconds of a loop; plans and late of the last one. */
static struct loop last;

static double seconds_of(struct loop l, double factor, bool correct)
{
    last = l;
    last.factor = factor;
    last.correct = correct;
    simulate(&last);
    return last.seconds;
}

/* A worker has half of its speed from some time in the first half of the loop on: the plan comes within two chunks, and
 * saves at least half of what it would cost. Where the worker is most of the machine, so much cannot be saved: there,
 * four fifths of what can. */
START_TEST(blocks_corrected)
{
    seed = 1;
    for (int i = 0; i < 300; i++) {
        double speed[WORKERS];
        struct loop l = {.technique = "vrp", .workers = 2 + any(WORKERS - 1), .items = 4000 + any(ITEMS - 4000)};
        double sum = 0;
        for (int w = 0; w < l.workers; w++)
            sum += speed[w] = 1 + any(4);
        l.speed = speed;
        l.slow = any(l.workers);
        l.onset = (double)l.items / sum * any(500) / 1000;
        double usual = seconds_of(l, 1, true);
        ck_assert_int_eq(last.plans, 0);
        double slow = seconds_of(l, 0.5, false), corrected = seconds_of(l, 0.5, true);
        ck_assert_int_ge(last.plans, 1);
        ck_assert_int_le(last.late, 2);
        double ideal = l.onset + ((double)l.items - l.onset * sum) / (sum - 0.5 * speed[l.slow]);
        double least = fmin(0.5 * (slow - usual), 0.8 * (slow - ideal));
        ck_assert_msg(slow - corrected >= least, "case %d: %g usual, %g slow, %g corrected", i, usual, slow, corrected);
    }
}
END_TEST

/* What hands out again and again loses little; a plan makes it no worse, and little longer than by work over speed. */
START_TEST(chunks_corrected)
{
    static const char *const technique[] = {"wf", "vrp-ss"};
    seed = 2;
    for (int i = 0; i < 300; i++) {
        double speed[WORKERS];
        struct loop l = {.technique = technique[i % 2], .workers = 4 + any(WORKERS - 3), .items = ITEMS};
        double sum = 0;
        for (int w = 0; w < l.workers; w++)
            sum += speed[w] = 1 + any(4);
        l.speed = speed;
        l.slow = any(l.workers);
        l.onset = (double)l.items / sum * any(300) / 1000;
        double slow = seconds_of(l, 0.5, false), corrected = seconds_of(l, 0.5, true);
        double ideal = l.onset + ((double)l.items - l.onset * sum) / (sum - 0.5 * speed[l.slow]);
        ck_assert_msg(corrected <= 1.02 * slow, "%s, case %d: %g, %g corrected", l.technique, i, slow, corrected);
        ck_assert_msg(corrected <= 1.1 * ideal, "%s, case %d: %g, ideal %g", l.technique, i, corrected, ideal);
    }
}
END_TEST

/* Items that differ by a tenth ask for no plan. */
START_TEST(no_plan_for_noise)
{
    static const double speed[] = {1, 1, 2, 4};
    seed = 3;
    for (int i = 0; i < 100; i++) {
        struct loop l = {.technique = i % 2 ? "vrp" : "wf", .workers = 4, .items = 4000, .noise = 0.08};
        l.speed = speed;
        seconds_of(l, 1, true);
        ck_assert_int_eq(last.plans, 0);
    }
}
END_TEST

/* All become slower alike: nobody is off. One of two is, and nothing is left but its own. */
START_TEST(worth_it)
{
    struct cs_worker_seen w[] = {{2, 1, 100, false}, {4, 2, 200, false}};
    struct cs_replanned r;
    double speed[2], scratch[2];
    ck_assert(!cs_replan(2, w, 0, false, speed, scratch, &r));
    w[0].rate = 0.5;
    ck_assert(cs_replan(2, w, 0, false, speed, scratch, &r));
    ck_assert(r.worker == 0 && speed[0] == 0.5 && speed[1] == 2);
    ck_assert_double_eq_tol(r.before, 200, 1e-9);
    ck_assert_double_eq_tol(r.after, 120, 1e-9);
    w[1].gone = true; /* nobody could help */
    ck_assert(!cs_replan(2, w, 0, false, speed, scratch, &r));
    w[1].gone = false;
    w[1].rate = 0; /* not known */
    ck_assert(!cs_replan(2, w, 0, false, speed, scratch, &r));
}
END_TEST

START_TEST(parts)
{
    static const int64_t items[] = {0, 1, 63, 64, 65, 1000, CS_MOST_ITEMS};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        int64_t n = cs_block_parts(items[i]);
        ck_assert(n == (items[i] < 64 ? items[i] : 64));
        if (n == 0)
            continue;
        ck_assert(cs_block_part_begin(items[i], 0) == 0 && cs_block_part_begin(items[i], n) == items[i]);
        for (int64_t p = 0; p < n; p++)
            ck_assert(cs_block_part_begin(items[i], p + 1) - cs_block_part_begin(items[i], p) >= items[i] / n);
    }
    struct cs_parts_left left[] = {{640, 0}, {640, 10}, {640, 4}};
    double speed[] = {1, 1, 0.1};
    ck_assert_int_eq(cs_part_from(3, left, speed, 0), 2);
    ck_assert_int_eq(cs_part_from(3, left, speed, 1), 2);
    left[2].parts = 0;
    ck_assert_int_eq(cs_part_from(3, left, speed, 0), 1);
    speed[0] = 0.01; /* it would take longer for one than the other one for all */
    ck_assert_int_eq(cs_part_from(3, left, speed, 0), -1);
}
END_TEST

START_TEST(rate_by_now)
{
    ck_assert_double_eq(cs_rate_by_now(10, 100, 5), 10);
    ck_assert_double_eq(cs_rate_by_now(10, 100, 20), 5);
    ck_assert_double_eq(cs_rate_by_now(10, 0, 20), 10);
    ck_assert_double_eq(cs_rate_by_now(0, 100, 20), 0);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("replan");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, blocks_corrected);
    tcase_add_test(c, chunks_corrected);
    tcase_add_test(c, no_plan_for_noise);
    tcase_add_test(c, worth_it);
    tcase_add_test(c, parts);
    tcase_add_test(c, rate_by_now);
    Suite *s = suite_create("replan");
    suite_add_tcase(s, c);
    return suite_main(s);
}
