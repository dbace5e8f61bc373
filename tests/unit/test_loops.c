/* SPDX-License-Identifier: BSD-3-Clause
 * Property tests of the online folder: random nests of loops and random strings are written as a trace, read back, and
 * compared symbol by symbol; a regular program must come out small, whatever its length.
 * CS_ROUNDS=N for more of them, CS_SEED=N for others. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../api/mpi_calls.h"
#include "trace_sample.h"
#include "suite.h"

#define MOST 200000

static char path[64];
static uint64_t state;
static uint16_t text[MOST];
static long length;

static uint64_t rnd(uint64_t below)
{
    return sample_mix(state++) % below;
}

static void emit(uint16_t symbol)
{
    if (length < MOST)
        text[length++] = symbol;
}

/* A nest of loops, its shape fixed by the seed; some counts change from one iteration of the outer loop to the next. */
static void nest(uint64_t seed, int depth, int alphabet, int outer)
{
    int n = 1 + (int)(sample_mix(seed) % 6);
    for (int i = 0; i < n; i++) {
        uint64_t x = sample_mix(seed + 100 + (uint64_t)i);
        if (depth == 0 || x % 3 == 0) {
            emit((uint16_t)(x / 3 % (uint64_t)alphabet));
            continue;
        }
        long count = 1 + (long)(x / 64 % 9) + (x % 16 == 1 ? outer : 0);
        for (long k = 0; k < count && length < MOST; k++)
            nest(x, depth - 1, alphabet, (int)k);
    }
}

static void noise(int alphabet, long n)
{
    while (n--)
        emit((uint16_t)rnd((uint64_t)alphabet));
}

/* Programs: nests, with noise in between. */
static void make_text(void)
{
    int alphabet = 1 + (int)rnd(rnd(2) ? 4 : 500);
    length = 0;
    for (uint64_t k = 1 + rnd(4); k; k--) {
        if (rnd(3) == 0)
            noise(alphabet, (long)rnd(3000));
        uint64_t seed = sample_mix(state++), repeats = 1 + rnd(40);
        int depth = 1 + (int)rnd(4);
        for (uint64_t i = 0; i < repeats; i++)
            nest(seed, depth, alphabet, (int)i);
    }
}

static struct cs_event event_of(uint16_t symbol, int64_t *fields)
{
    fields[0] = symbol;
    return (struct cs_event){.site = -1, .mark = 2, .call = symbol % 3, .nfields = 1, .fields = fields};
}

static struct cs_trace_writer *create(void)
{
    struct cs_run_info info = {.nranks = 1};
    remove(path);
    struct cs_trace_writer *w = cs_trace_create(path, 0, &info);
    ck_assert_ptr_nonnull(w);
    return w;
}

static long file_size(void)
{
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    return (long)st.st_size;
}

/* Reads the file; all of it must be the text's beginning. The number of events. */
static long check_text(void)
{
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_msg(t, "%s", why);
    struct cs_trace_iter *it = cs_trace_iter_open(t, 0);
    struct cs_event e;
    long n = 0;
    int rc;
    for (; (rc = cs_trace_iter_next(it, &e)) == 1; n++)
        if (n >= length || e.nfields != 1 || e.fields[0] != text[n] || e.call != text[n] % 3)
            ck_abort_msg("seed %llu, event %ld", (unsigned long long)state, n);
    ck_assert_msg(rc == 0, "%s", cs_trace_iter_error(it));
    ck_assert_int_eq(n, cs_trace_nevents(t, 0));
    cs_trace_iter_free(it);
    cs_trace_free(t);
    return n;
}

/* Counted without unrolling, each character comes as often as in the text. */
static void check_counts(void)
{
    static uint64_t seen[1 << 16];
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_msg(t != NULL, "%s", why);
    struct cs_trace_iter *it = cs_trace_iter_open(t, 0);
    struct cs_event e;
    uint64_t times;
    memset(seen, 0, sizeof seen);
    int rc;
    while ((rc = cs_trace_iter_count(it, &e, &times)) == 1)
        seen[(uint16_t)e.fields[0]] += times;
    ck_assert_msg(rc == 0, "%s", cs_trace_iter_error(it));
    for (long i = 0; i < length; i++)
        seen[text[i]]--;
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
        ck_assert_uint_eq(seen[i], 0);
    cs_trace_iter_free(it);
    cs_trace_free(t);
}

START_TEST(random_programs)
{
    const char *rounds = getenv("CS_ROUNDS"), *seed = getenv("CS_SEED");
    state = seed ? strtoull(seed, NULL, 0) << 32 : 1;
    for (int k = rounds ? atoi(rounds) : 60; k; k--) {
        struct cs_trace_writer *w = create();
        int64_t f[1];
        make_text();
        long flush_at = rnd(2) ? (long)rnd((uint64_t)length) : -1;
        for (long i = 0; i < length; i++) {
            struct cs_event e = event_of(text[i], f);
            if (cs_trace_event(w, &e)) /* an assertion each would be most of the time */
                ck_abort_msg("cs_trace_event failed");
            if (i == flush_at)
                ck_assert_int_eq(cs_trace_flush(w), 0);
        }
        ck_assert_int_eq(cs_trace_close(w), 0);
        ck_assert_int_eq(check_text(), length);
        check_counts();
    }
}
END_TEST

/* ---- whole turns ---- */

/* A program of nested loops. In its trace, loops may be repeated from their first turn on, each time or not. */
struct writing {
    struct cs_trace_writer *w;
    uint64_t choice;  /* of the loops that are repeated: 0 none, 1 inner ones, 2 outer ones, 3 all, 4 by chance */
    long flush_every; /* 0: never */
    long repeated, refused;
};

static void event_now(struct writing *g, uint16_t symbol)
{
    int64_t f[1];
    if (length == MOST)
        return;
    emit(symbol);
    struct cs_event e = event_of(symbol, f);
    if (cs_trace_event(g->w, &e))
        ck_abort_msg("cs_trace_event failed");
    if (g->flush_every && length % g->flush_every == 0)
        ck_assert_int_eq(cs_trace_flush(g->w), 0);
}

static bool is_repeated(const struct writing *g, int depth)
{
    switch (g->choice) {
    case 0: return false;
    case 1: return depth <= 1;
    case 2: return depth > 1;
    case 3: return true;
    default: return rnd(2) == 0;
    }
}

/* The text's last `events` characters so many times more, if the writer agrees. */
static bool again(struct writing *g, long events, long times)
{
    if (times <= 0 || events * times > MOST - length)
        return false;
    int rc = cs_trace_again(g->w, (uint64_t)events, (uint64_t)times);
    ck_assert_int_ge(rc, 0);
    g->repeated += rc;
    g->refused += !rc;
    if (rc == 0)
        return false;
    for (long k = events * times; k; k--, length++)
        text[length] = text[length - events];
    return true;
}

/* As nest(), with turns that are all alike. */
static void turns(struct writing *g, uint64_t seed, int depth, int alphabet)
{
    int n = 1 + (int)(sample_mix(seed) % 5);
    for (int i = 0; i < n; i++) {
        uint64_t x = sample_mix(seed + 100 + (uint64_t)i);
        if (depth == 0 || x % 3 == 0) {
            event_now(g, (uint16_t)(x / 3 % (uint64_t)alphabet));
            continue;
        }
        long count = 1 + (long)(x / 64 % 9) + (x % 16 == 1 ? (long)rnd(5) : 0);
        for (long k = 0; k < count && length < MOST; k++) {
            long from = length;
            turns(g, x, depth - 1, alphabet);
            if (k == 0 && is_repeated(g, depth) && again(g, length - from, count - 1))
                break;
        }
    }
}

START_TEST(random_turns)
{
    const char *rounds = getenv("CS_ROUNDS"), *seed = getenv("CS_SEED");
    long repeated = 0, refused = 0;
    state = seed ? strtoull(seed, NULL, 0) << 32 : 77;
    for (int k = rounds ? atoi(rounds) : 150; k; k--) {
        struct writing g = {.w = create(), .choice = rnd(5), .flush_every = rnd(3) ? 0 : 1 + (long)rnd(5000)};
        int alphabet = 1 + (int)rnd(rnd(2) ? 4 : 500), depth = 1 + (int)rnd(4);
        length = 0;
        uint64_t program = sample_mix(state++);
        for (uint64_t i = 1 + rnd(30); i; i--) {
            turns(&g, program, depth, alphabet);
            for (uint64_t more = rnd(4) ? 0 : rnd(5000); more; more--)
                event_now(&g, (uint16_t)rnd((uint64_t)alphabet));
        }
        if (rnd(2)) { /* any stretch, which need be no turn */
            long events = 1 + (long)rnd((uint64_t)length);
            again(&g, events, 1 + (long)rnd(5));
            event_now(&g, 0);
        }
        ck_assert_int_eq(cs_trace_close(g.w), 0);
        ck_assert_int_eq(check_text(), length);
        repeated += g.repeated;
        refused += g.refused;
    }
    ck_assert_int_gt(repeated, refused);
}
END_TEST

/* Two inner loops of 400 turns in 300 turns, of which the inner ones are repeated, and the outer one, too, or not. */
START_TEST(repeated_turns_are_small)
{
    struct writing g = {.w = create()};
    length = 0;
    for (int i = 0; i < 300; i++) {
        long before = length;
        for (int k = 0; k < 2; k++) {
            long from = length;
            event_now(&g, (uint16_t)(3 * k));
            event_now(&g, (uint16_t)(3 * k + 1));
            ck_assert(again(&g, length - from, 99));
        }
        if (_i && i == 0) {
            ck_assert(again(&g, length - before, 299));
            break;
        }
    }
    ck_assert_int_eq(cs_trace_close(g.w), 0);
    ck_assert_int_eq(length, 300 * 2 * 200);
    ck_assert_int_eq(check_text(), length);
    ck_assert_int_le(file_size(), 420);
}
END_TEST

static void write_and_repeat(void)
{
    struct writing g = {.w = create()};
    for (int i = 0; i < 3000; i++)
        event_now(&g, (uint16_t)(i * i % 50));
    ck_assert(again(&g, 700, 30));
}

/* A rank that is killed right behind a repetition has left all of it in the crash buffer. */
START_TEST(killed_behind_turns)
{
    int status;
    length = 0;
    pid_t pid = fork();
    if (pid == 0) {
        write_and_repeat();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(cs_trace_recover(path), 0);
    for (int i = 0; i < 3000; i++)
        emit((uint16_t)(i * i % 50));
    for (long k = 700 * 30; k; k--)
        emit(text[length - 700]);
    ck_assert_int_eq(check_text(), length);
}
END_TEST

/* What cannot be repeated changes nothing: more than there is, or more than a block may have. */
START_TEST(impossible_turns)
{
    struct writing g = {.w = create()};
    length = 0;
    event_now(&g, 1);
    event_now(&g, 2);
    ck_assert_int_eq(cs_trace_again(g.w, 3, 5), 0);
    ck_assert_int_eq(cs_trace_again(g.w, 2, UINT64_C(1) << 62), 0);
    ck_assert_int_eq(cs_trace_again(g.w, 0, 5), 1);
    ck_assert_int_eq(cs_trace_flush(g.w), 0);
    event_now(&g, 3);
    ck_assert_int_eq(cs_trace_again(g.w, 2, 5), 0);
    ck_assert_int_eq(cs_trace_close(g.w), 0);
    ck_assert_int_eq(check_text(), 3);
}
END_TEST

/* name, body length, inner loops of the body, their count, iterations */
static const struct {
    int body, inner, count;
    long iterations;
} regular[] = {
    {1, 0, 0, 1000000}, {7, 0, 0, 100000},    {600, 0, 0, 2000},
    {30, 5, 20, 10000}, {1000, 100, 3, 1000}, {2, 1, 1000, 1000},
};

START_TEST(regular_programs_are_small)
{
    struct cs_trace_writer *w = create();
    int64_t f[1];
    for (long i = 0; i < regular[_i].iterations; i++)
        for (int k = 0; k < regular[_i].body; k++) {
            bool in_loop = regular[_i].inner && k % (regular[_i].body / regular[_i].inner) == 0;
            for (int c = 0; c < (in_loop ? regular[_i].count : 1); c++)
                for (int p = 0; p < (in_loop ? 2 : 1); p++) {
                    struct cs_event e = event_of((uint16_t)(k / 4 * 2 + p), f);
                    if (cs_trace_event(w, &e)) /* an assertion each would be most of the time */
                        ck_abort_msg("cs_trace_event failed");
                }
        }
    ck_assert_int_eq(cs_trace_close(w), 0);
    ck_assert_int_le(file_size(), 600 + 8 * regular[_i].body);
}
END_TEST

/* ---- many ranks ---- */

#define RING 512
#define LAPS 1000000L

static int64_t ring_peer(int rank, int step)
{
    return step == 0 ? (rank + 1) % RING : (rank + RING - 1) % RING;
}

/* Sends to the right, receives from the left: bytes, type, peer, tag, communicator. */
static struct cs_event ring_event(int rank, int step, int64_t f[5])
{
    const int64_t values[] = {8, 0, ring_peer(rank, step), 7, 0};
    memcpy(f, values, sizeof values);
    return (struct cs_event){.call = cs_mpi_index(cs_mpi_find(step == 0 ? "MPI_Send" : "MPI_Recv")),
                             .site = 0,
                             .mark = 0,
                             .nfields = 5,
                             .fields = f};
}

static void write_ring_rank(struct cs_trace_writer *w, int rank, long laps)
{
    int world[RING];
    int64_t f[2][5];
    struct cs_event e[] = {ring_event(rank, 0, f[0]), ring_event(rank, 1, f[1])};
    for (int i = 0; i < RING; i++)
        world[i] = i;
    ck_assert_ptr_nonnull(w);
    ck_assert_int_eq(cs_trace_def_site(w, "ring.c", 3, "main"), 0);
    ck_assert_int_eq(cs_trace_def_type(w, "d1", 8, 8, 1), 0);
    ck_assert_int_eq(cs_trace_def_comm(w, "world", RING, world), 0);
    for (long i = 0; i < laps * 2; i++)
        if (cs_trace_event(w, &e[i % 2])) /* an assertion each would be most of the time */
            ck_abort_msg("cs_trace_event failed");
    ck_assert_int_eq(cs_trace_close(w), 0);
}

static void check_ring(long laps)
{
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_msg(t, "%s", why);
    for (int r = 0; r < RING; r++) {
        struct cs_trace_iter *it = cs_trace_iter_open(t, r);
        struct cs_event e, want;
        int64_t f[5];
        ck_assert_int_eq(cs_trace_rank_state(t, r), CS_RANK_COMPLETE);
        ck_assert_int_eq(cs_trace_nevents(t, r), 2 * laps);
        for (int k = 0; k < 2; k++) {
            want = ring_event(r, k, f);
            ck_assert_int_eq(cs_trace_iter_next(it, &e), 1);
            ck_assert(e.call == want.call && e.nfields == 5 && memcmp(e.fields, f, sizeof f) == 0);
        }
        ck_assert_str_eq(cs_trace_comm(t, r, 0)->path, "world");
        cs_trace_iter_free(it);
    }
    cs_trace_free(t);
}

/* 512 ranks with a million events each, from one process; equal ranks are stored once. */
START_TEST(equal_ranks_are_stored_once)
{
    struct cs_run_info info = {.nranks = RING, .program = "ring"};
    struct cs_trace_group *g = cs_trace_group_new(path, RING);
    ck_assert_ptr_nonnull(g);
    for (int r = 0; r < RING; r++)
        write_ring_rank(cs_trace_create_in(g, r, &info), r, r < 2 ? LAPS / 2 : 500);
    cs_trace_group_free(g);
    ck_assert_int_le(file_size(), RING * 96 + 2000);
}
END_TEST

/* The same through the live file, one rank after the other. */
START_TEST(equal_ranks_with_live_file)
{
    struct cs_run_info info = {.nranks = RING, .program = "ring"};
    remove(path);
    struct cs_trace_writer *w[RING];
    for (int r = 0; r < RING; r++)
        w[r] = cs_trace_create(path, r, &info);
    for (int r = 0; r < RING; r++)
        write_ring_rank(w[r], r, 100);
    ck_assert_int_le(file_size(), 2 * RING * 96 + 2000);
    check_ring(100);
}
END_TEST

/* If the block that has the bytes is damaged, those that name it are cut, not wrong. */
START_TEST(lost_original)
{
    struct cs_run_info info = {.nranks = RING, .program = "ring"};
    struct cs_trace_group *g = cs_trace_group_new(path, RING);
    for (int r = 0; r < RING; r++)
        write_ring_rank(cs_trace_create_in(g, r, &info), r, 100);
    cs_trace_group_free(g);
    check_ring(100);
    FILE *f = fopen(path, "r+");
    ck_assert_int_eq(fseek(f, file_size() - 96 * (RING - 1) - 5, SEEK_SET), 0);
    putc('#', f);
    fclose(f);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_msg(t, "%s", why);
    for (int r = 1; r < RING; r++)
        ck_assert_int_ne(cs_trace_rank_state(t, r), CS_RANK_COMPLETE);
    cs_trace_free(t);
}
END_TEST

static void setup(void)
{
    snprintf(path, sizeof path, "test_loops.%d.trace", (int)getpid());
}

static void teardown(void)
{
    remove(path);
}

int main(void)
{
    Suite *s = suite_create("loops");
    TCase *c = tcase_create("loops");
    tcase_set_timeout(c, 300);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, random_programs);
    tcase_add_test(c, random_turns);
    tcase_add_loop_test(c, repeated_turns_are_small, 0, 2);
    tcase_add_test(c, killed_behind_turns);
    tcase_add_test(c, impossible_turns);
    tcase_add_loop_test(c, regular_programs_are_small, 0, (int)(sizeof regular / sizeof *regular));
    tcase_add_test(c, equal_ranks_are_stored_once);
    tcase_add_test(c, equal_ranks_with_live_file);
    tcase_add_test(c, lost_original);
    suite_add_tcase(s, c);
    return suite_main(s);
}
