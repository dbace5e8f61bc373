/* SPDX-License-Identifier: BSD-3-Clause
 * The counts of the channel check after repeated turns of loops, against those after turns that were made. */
#include <string.h>

#include "base/mix.h"
#include "commlib/check/channel_internal.h"
#include "commlib/check/channel_turns.h"
#include "suite.h"

enum { CHANNELS = 3, MOST_DEPTH = 3 };

/* Two of all: one whose loops make their turns, and one that repeats some. */
static struct channel made_channel[CHANNELS], channel[CHANNELS];
static struct collectives made_calls[CHANNELS], calls[CHANNELS];
static uint64_t state;
static long last_mark;

static uint64_t rnd(uint64_t below)
{
    return cs_mix(++state * 0x9e3779b97f4a7c15u) % below;
}

/* The same operation of the same loop, each time that it comes. */
static void operation(uint64_t x, bool repeats)
{
    struct channel *c = repeats ? &channel[x % CHANNELS] : &made_channel[x % CHANNELS];
    struct collectives *k = repeats ? &calls[x % CHANNELS] : &made_calls[x % CHANNELS];
    if (x / 8 % 3 == 0) {
        if (repeats)
            cs_channel_turns_message(c);
        c->n[0] += x / 64 % 3 ? 1 : -1;
    } else {
        if (repeats)
            cs_channel_turns_collective(k);
        cs_collectives_add(k, (int)(x / 64 % 5), 0, (int)(x / 512 % 7));
    }
}

static void run(uint64_t program, int depth, bool repeats, long below);

static void loop(uint64_t program, int depth, bool repeats, long below)
{
    long count = 1 + (long)(cs_mix(program) % (depth == 1 ? 90 : 7));
    uint64_t choice = cs_mix(program + 1) % 4;
    long mark = repeats && choice ? ++last_mark : 0;
    size_t began = mark ? cs_channel_turns_begin(mark) : 0;
    for (long k = 0; k < count; k++) {
        run(program + 7, depth - 1, repeats, mark ? mark : below);
        if (mark && choice > 1) { /* 1: the loop does other things, or is left */
            ck_assert(cs_channel_turns_known(mark));
            cs_channel_turns_again(began, count - 1);
            break;
        }
    }
    if (mark)
        cs_channel_turns_end(began, below);
}

static void run(uint64_t program, int depth, bool repeats, long below)
{
    for (uint64_t i = 0; i <= cs_mix(program) % 6; i++) {
        uint64_t x = cs_mix(program + 1000 * (i + 1));
        if (depth > 0 && x % 2)
            loop(x, depth, repeats, below);
        else
            operation(x, repeats);
    }
}

/* As rank 0 sees them: what is in `tail` is not looked up in `point`. */
static void check_calls(const struct collectives *a, const struct collectives *b, long *unknown)
{
    ck_assert_int_eq(a->n, b->n);
    ck_assert_int_eq(a->stride, b->stride);
    ck_assert_uint_eq(a->hash, b->hash);
    for (int64_t i = 0; i < NPOINTS; i++) {
        if (i < a->n)
            ck_assert_int_eq(memcmp(&a->tail[i], &b->tail[i], sizeof a->tail[i]), 0);
        if (i * a->stride < a->n && b->point[i].mark >= 0)
            ck_assert_int_eq(memcmp(&a->point[i], &b->point[i], sizeof a->point[i]), 0);
        *unknown += i * a->stride < a->n && b->point[i].mark < 0;
    }
}

static void clear(void)
{
    memset(made_channel, 0, sizeof made_channel);
    memset(channel, 0, sizeof channel);
    memset(made_calls, 0, sizeof made_calls);
    memset(calls, 0, sizeof calls);
    for (int i = 0; i < CHANNELS; i++)
        made_calls[i].stride = calls[i].stride = 1;
}

START_TEST(random_loops)
{
    long unknown = 0, points = 0;
    for (int k = 0; k < 400; k++) {
        uint64_t program = rnd(UINT64_MAX);
        int depth = (int)rnd(MOST_DEPTH + 1), times = 1 + (int)rnd(4);
        clear();
        for (int i = 0; i < times; i++) {
            run(program + (uint64_t)i % 2, depth, false, 0);
            run(program + (uint64_t)i % 2, depth, true, 0);
        }
        for (int i = 0; i < CHANNELS; i++) {
            ck_assert_int_eq(made_channel[i].n[0], channel[i].n[0]);
            check_calls(&made_calls[i], &calls[i], &unknown);
            points += NPOINTS;
        }
    }
    ck_assert_int_lt(unknown, points / 2);
}
END_TEST

START_TEST(very_many_turns)
{
    clear();
    size_t began = cs_channel_turns_begin(++last_mark);
    for (uint64_t i = 0; i < 3; i++) {
        cs_channel_turns_collective(&calls[0]);
        cs_collectives_add(&calls[0], (int)i, 0, (int)i);
    }
    cs_channel_turns_again(began, INT64_C(1) << 58);
    cs_channel_turns_end(began, 0);
    ck_assert_int_eq(calls[0].n, 3 * ((INT64_C(1) << 58) + 1));
    ck_assert_int_eq(calls[0].tail[(calls[0].n - 1) % NPOINTS].site, 2);
    ck_assert_uint_eq(calls[0].tail[(calls[0].n - 1) % NPOINTS].hash, calls[0].hash);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("repeated channels");
    TCase *c = tcase_create("repeated channels");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, random_loops);
    tcase_add_test(c, very_many_turns);
    suite_add_tcase(s, c);
    return suite_main(s);
}
