/* SPDX-License-Identifier: BSD-3-Clause
 * Unit tests of trace/: round trips, cuts, flipped bits, full disks, killed writers, hand-made bad blocks.
 * Every damaged file must give a prefix of the truth or a reported error, never anything else. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../api/mpi_calls.h"
#include "trace/counters.h"
#include "trace/format/bytes.h"
#include "trace/format/fields.h"
#include "trace/format/format.h"
#include "trace/write/section_set.h"
#include "trace_sample.h"
#include "suite.h"

#define COUNT(a) (int)(sizeof(a) / sizeof *(a))

static char path[64], copy[64];

static void setup(void)
{
    snprintf(path, sizeof path, "trace_test.%d.trace", (int)getpid());
    snprintf(copy, sizeof copy, "trace_test.%d.copy", (int)getpid());
}

static void teardown(void)
{
    char live[80];
    snprintf(live, sizeof live, "%s.live", path);
    remove(live);
    remove(path);
    remove(copy);
}

static unsigned char *slurp(const char *name, size_t *n)
{
    struct stat st;
    int fd = open(name, O_RDONLY);
    ck_assert(fd >= 0 && fstat(fd, &st) == 0);
    unsigned char *p = malloc((size_t)st.st_size + 1);
    ck_assert_int_eq(read(fd, p, (size_t)st.st_size), st.st_size);
    close(fd);
    *n = (size_t)st.st_size;
    return p;
}

static void spill(const char *name, const void *p, size_t n)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ck_assert(fd >= 0);
    ck_assert_int_eq(write(fd, p, n), (ssize_t)n);
    close(fd);
}

static bool live_file_exists(void)
{
    char live[80];
    snprintf(live, sizeof live, "%s.live", path);
    return access(live, F_OK) == 0;
}

/* nranks, events, times, variety, flush_every */
static const struct sample samples[] = {
    {1, 0, false, 1, 0},
    {1, 1, true, 1, 0},
    {2, 1000, false, 10, 0},
    {2, 1000, true, 10, 7},
    {5, 5000, false, 300, 100},
    {1, 600000, false, 20, 0}, /* several blocks by size */
    {1, 300000, true, 20, 0},
    {2, 100000, false, 1u << 20, 0}, /* nearly all events differ: symbols are forgotten and begin anew */
    {64, 50, true, 5, 3},
};

START_TEST(round_trip)
{
    const struct sample *s = &samples[_i];
    ck_assert_int_eq(sample_write(s, path), 0);
    ck_assert_int_eq(sample_check(s, path), s->nevents * s->nranks);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    for (int r = 0; r < s->nranks; r++)
        ck_assert_int_eq(cs_trace_rank_state(t, r), CS_RANK_COMPLETE);
    ck_assert_int_eq(cs_trace_damaged(t), 0);
    ck_assert(!live_file_exists());
    cs_trace_free(t);
}
END_TEST

/* The checker must be able to fail: the same file is wrong for a sample that differs in one event. */
START_TEST(checker_fails)
{
    struct sample s = {2, 500, false, 400, 0}, other = s;
    other.variety = 401;
    ck_assert_int_eq(sample_write(&s, path), 0);
    ck_assert_int_eq(sample_check(&other, path), -2);
}
END_TEST

START_TEST(cut_anywhere)
{
    struct sample s = {2, 60, true, 9, 8};
    ck_assert_int_eq(sample_write(&s, path), 0);
    size_t n;
    long most = 0;
    unsigned char *p = slurp(path, &n);
    for (size_t len = 0; len < n; len++) {
        spill(copy, p, len);
        long got = sample_check(&s, copy);
        ck_assert_msg(got == -1 ? len < 200 : got >= most, "cut at %zu gave %ld after %ld", len, got, most);
        most = got > most ? got : most;
    }
    ck_assert_int_gt(most, 100);
    free(p);
}
END_TEST

static int complete_ranks(const char *name, int nranks)
{
    char why[200];
    struct cs_trace *t = cs_trace_open(name, why, sizeof why);
    int n = 0;
    for (int r = 0; t && r < nranks; r++)
        n += cs_trace_rank_state(t, r) == CS_RANK_COMPLETE;
    cs_trace_free(t);
    return n;
}

START_TEST(flip_any_bit)
{
    struct sample s = {2, 60, true, 9, 20};
    ck_assert_int_eq(sample_write(&s, path), 0);
    size_t n;
    unsigned char *p = slurp(path, &n);
    for (size_t i = 0; i < n; i++) {
        unsigned char bit = (unsigned char)(1 << i % 8);
        p[i] ^= bit;
        spill(copy, p, n);
        p[i] ^= bit;
        long got = sample_check(&s, copy);
        ck_assert_msg(got >= 0 && got <= 120, "bit %zu.%zu flipped gave %ld", i, i % 8, got);
        ck_assert_int_eq(complete_ranks(copy, 2), 1);
    }
    free(p);
}
END_TEST

START_TEST(rubbish_between_blocks)
{
    struct sample s = {2, 60, false, 9, 0};
    ck_assert_int_eq(sample_write(&s, path), 0);
    size_t n;
    unsigned char *p = slurp(path, &n), *q = malloc(n + 100);
    memset(q, 'C', 100);
    memcpy(q + 3, CS_TRACE_MAGIC, CS_TRACE_MAGIC_LEN);
    memcpy(q + 100, p, n);
    spill(copy, q, n + 100);
    ck_assert_int_eq(sample_check(&s, copy), 120);
    char why[200];
    struct cs_trace *t = cs_trace_open(copy, why, sizeof why);
    ck_assert_int_eq(cs_trace_damaged(t), 100);
    cs_trace_free(t);
    free(p);
    free(q);
}
END_TEST

static const char *open_error(const char *name)
{
    static char why[200];
    struct cs_trace *t = cs_trace_open(name, why, sizeof why);
    ck_assert_ptr_null(t);
    return why;
}

START_TEST(no_trace)
{
    ck_assert_str_eq(open_error("does/not/exist"), "No such file or directory");
    ck_assert_str_eq(open_error("."), "not a regular file");
    spill(copy, "", 0);
    ck_assert_str_eq(open_error(copy), "empty file");
    spill(copy, "hello, world", 12);
    ck_assert_ptr_nonnull(strstr(open_error(copy), "not a commslice trace"));
    spill(copy, "CSTRACE1 and more", 17);
    ck_assert_ptr_nonnull(strstr(open_error(copy), "format version 1, which this commslice does not read"));
}
END_TEST

START_TEST(two_runs_in_one_file)
{
    struct sample s = {1, 10, false, 3, 0};
    for (int run = 0; run < 2; run++) {
        struct cs_trace_writer *w = sample_writer(&s, path, 0);
        ck_assert_ptr_nonnull(w);
        ck_assert_int_eq(cs_trace_close(w), 0);
    }
    ck_assert_ptr_nonnull(strstr(open_error(path), "more than one run"));
}
END_TEST

START_TEST(full_from_the_start)
{
    struct sample s = {1, 10, false, 3, 0};
    if (access("/dev/full", W_OK))
        ck_abort_msg("/dev/full is missing");
    ck_assert_ptr_null(sample_writer(&s, "/dev/full", 0));
    ck_assert_int_eq(errno, ENOSPC);
}
END_TEST

/* Writes all events it can; returns the errno that stopped it. */
static int write_until_error(const struct sample *s, struct cs_trace_writer *w)
{
    int64_t buf[SAMPLE_FIELDS];
    struct cs_event e;
    for (long k = 0; k < s->nevents; k++) {
        sample_event(s, 0, k, &e, buf);
        if (cs_trace_event(w, &e))
            return errno;
    }
    return 0;
}

/* The live file would pass the limit: then it goes without. */
START_TEST(small_file_limit)
{
    struct sample s = {1, 500, false, 50, 0};
    struct rlimit small = {20000, RLIM_INFINITY};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct cs_trace_writer *w = sample_writer(&s, path, 0);
    ck_assert_ptr_nonnull(w);
    ck_assert_int_eq(write_until_error(&s, w), 0);
    ck_assert(!live_file_exists());
    ck_assert_int_eq(cs_trace_close(w), 0);
    ck_assert_int_eq(sample_check(&s, path), s.nevents);
}
END_TEST

START_TEST(full_on_the_way)
{
    struct sample s = {1, 2000000, false, 1u << 30, 0};
    struct rlimit small = {600000,
                           RLIM_INFINITY}; /* the kernel writes up to the limit, then refuses: a short write first */
    struct cs_trace_writer *w = sample_writer(&s, path, 0);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0); /* its signal, which ends a program, must not come */
    ck_assert_int_eq(write_until_error(&s, w), EFBIG);
    ck_assert_int_eq(cs_trace_flush(w), -1);
    ck_assert_int_eq(errno, EFBIG);
    ck_assert_int_eq(cs_trace_def_op(w, "MPI_MAX"), -1);
    ck_assert_int_eq(cs_trace_close(w), -1);
    ck_assert_int_eq(errno, EFBIG);
    ck_assert_int_gt(sample_check(&s, path), 10000);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_int_eq(cs_trace_rank_state(t, 0), CS_RANK_CUT);
    ck_assert_int_gt(cs_trace_damaged(t), 0);
    cs_trace_free(t);
}
END_TEST

/* A child of the test that writes rank 0 of the sample, up to `nevents`, and kills itself. */
static void killed_child(const struct sample *s, long nevents)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        struct sample some = *s;
        struct cs_trace_writer *w = sample_writer(s, path, 0);
        some.nevents = nevents;
        if (!w || write_until_error(&some, w))
            _exit(1);
        raise(SIGKILL);
    }
    int status;
    waitpid(pid, &status, 0);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* Not an event is lost. */
START_TEST(killed_writer)
{
    static const long counts[] = {0, 1, 100, 70000, 1000000};
    struct sample s = {2, 1000000, _i % 2, 50, 0};
    killed_child(&s, counts[_i]);
    ck_assert_int_le(sample_check(&s, path), counts[_i]);
    ck_assert(live_file_exists());
    ck_assert_int_eq(cs_trace_recover(path), 0);
    ck_assert(!live_file_exists());
    ck_assert_int_eq(sample_check(&s, path), counts[_i]);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_int_eq(cs_trace_rank_state(t, 0), CS_RANK_CUT);
    ck_assert_int_eq(cs_trace_rank_state(t, 1), CS_RANK_MISSING);
    cs_trace_free(t);
}
END_TEST

/* While a rank is alive nothing is taken from under it; the killed one's events are there when it has ended. */
START_TEST(killed_beside_live)
{
    struct sample s = {2, 3000, false, 50, 0};
    struct cs_trace_writer *w = sample_writer(&s, path, 1);
    int64_t buf[SAMPLE_FIELDS];
    struct cs_event e;
    killed_child(&s, 777);
    for (long k = 0; k < s.nevents; k++) {
        sample_event(&s, 1, k, &e, buf);
        ck_assert_int_eq(cs_trace_event(w, &e), 0);
    }
    ck_assert_int_eq(cs_trace_recover(path), 0);
    ck_assert(live_file_exists());
    ck_assert_int_eq(cs_trace_close(w), 0);
    ck_assert(live_file_exists());
    ck_assert_int_eq(cs_trace_recover(path), 0);
    ck_assert(!live_file_exists());
    ck_assert_int_eq(sample_check(&s, path), 3000 + 777);
    ck_assert_int_eq(cs_trace_recover(path), 0);
}
END_TEST

/* What is mapped where a rank of this very process had its slot stays when the group goes. */
START_TEST(group_unmaps_its_own)
{
    enum { PIECES = 64, BYTES = 64 << 10 };
    struct sample s = {1, 10, false, 5, 0};
    unsigned char *piece[PIECES], resident[BYTES / 4096 + 1];
    remove(path);
    struct cs_trace_group *g = cs_trace_group_new(path, 1);
    ck_assert_ptr_nonnull(g);
    struct cs_run_info info;
    sample_info(&s, &info);
    struct cs_trace_writer *w = sample_define(&s, cs_trace_create_in(g, 0, &info));
    ck_assert_ptr_nonnull(w);
    ck_assert_int_eq(cs_trace_close(w), 0);
    for (int i = 0; i < PIECES; i++)
        ck_assert((piece[i] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) !=
                  MAP_FAILED);
    cs_trace_group_free(g);
    for (int i = 0; i < PIECES; i++) {
        ck_assert_msg(mincore(piece[i], BYTES, resident) == 0, "piece %d is gone", i);
        munmap(piece[i], BYTES);
    }
}
END_TEST

/* Forked ranks of a group: a killed one's events are saved by the process that forked it, also if it had written
 * nothing. */
START_TEST(killed_in_group)
{
    static const long counts[] = {1, 100, 300000};
    struct sample s = {2, counts[_i], _i % 2, 50, 0};
    struct cs_run_info info;
    int64_t buf[SAMPLE_FIELDS];
    struct cs_event e;
    int status;
    sample_info(&s, &info);
    struct cs_trace_group *g = cs_trace_group_new(path, s.nranks);
    ck_assert_ptr_nonnull(g);
    for (int r = 0; r < s.nranks; r++) {
        pid_t pid = fork();
        if (pid == 0) {
            struct cs_trace_writer *w = sample_define(&s, cs_trace_create_in(g, r, &info));
            for (long k = 0; w && k < s.nevents; k++) {
                sample_event(&s, r, k, &e, buf);
                if (cs_trace_event(w, &e))
                    _exit(1);
            }
            raise(SIGKILL);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }
    ck_assert(!live_file_exists());
    ck_assert_int_eq(cs_trace_group_save(g), 0);
    ck_assert_int_eq(sample_check(&s, path), 2 * counts[_i]);
    cs_trace_group_free(g);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_int_eq(cs_trace_rank_state(t, 1), CS_RANK_CUT);
    cs_trace_free(t);
}
END_TEST

/* A run that turns out to have failed when its ranks had ended in order: all they did is there, and none of them is
 * complete. */
START_TEST(failed_group)
{
    struct sample s = {3, 1000, _i, 50, 0};
    struct cs_run_info info;
    int64_t buf[SAMPLE_FIELDS];
    struct cs_event e;
    char why[200];
    sample_info(&s, &info);
    struct cs_trace_group *g = cs_trace_group_new(path, s.nranks);
    ck_assert_ptr_nonnull(g);
    for (int r = 0; r < s.nranks; r++) {
        struct cs_trace_writer *w = sample_define(&s, cs_trace_create_in(g, r, &info));
        ck_assert_ptr_nonnull(w);
        for (long k = 0; k < s.nevents; k++) {
            sample_event(&s, r, k, &e, buf);
            ck_assert_int_eq(cs_trace_event(w, &e), 0);
        }
        ck_assert_int_eq(cs_trace_close(w), 0);
    }
    ck_assert_int_eq(cs_trace_group_save(g), 0);
    for (int failed = 0; failed < 2; failed++) {
        if (failed)
            ck_assert_int_eq(cs_trace_group_fail(g, &info), 0);
        ck_assert_int_eq(sample_check(&s, path), s.nranks * s.nevents);
        struct cs_trace *t = cs_trace_open(path, why, sizeof why);
        ck_assert_msg(t != NULL, "%s", why);
        ck_assert_int_eq(cs_trace_failed(t), failed);
        ck_assert_int_eq(cs_trace_damaged(t), 0);
        for (int r = 0; r < s.nranks; r++)
            ck_assert_int_eq(cs_trace_rank_state(t, r), failed ? CS_RANK_CUT : CS_RANK_COMPLETE);
        cs_trace_free(t);
    }
    cs_trace_group_free(g);
}
END_TEST

START_TEST(refused_events)
{
    struct sample s = {1, 1, false, 1, 0};
    struct cs_trace_writer *w = sample_writer(&s, path, 0);
    const struct cs_event bad[] = {
        {.call = -1},    {.call = cs_mpi_ncalls()},     {.site = 99}, {.site = -2}, {.mark = 3},
        {.nfields = -1}, {.nfields = CS_MAX_FIELDS + 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(cs_trace_event(w, &bad[i]), -1);
        ck_assert_int_eq(errno, EINVAL);
    }
    struct cs_event e;
    int64_t buf[SAMPLE_FIELDS];
    sample_event(&s, 0, 0, &e, buf);
    ck_assert_int_eq(cs_trace_event(w, &e), 0);
    ck_assert_int_eq(cs_trace_close(w), 0);
    ck_assert_int_eq(sample_check(&s, path), 1);
}
END_TEST

START_TEST(info_replaced)
{
    struct sample s = {1, 1, false, 1, 0};
    struct cs_run_info info;
    sample_info(&s, &info);
    struct cs_trace_writer *w = sample_writer(&s, path, 0);
    info.assumptions = "a.c:3=never violated 2";
    ck_assert_int_eq(cs_trace_set_info(w, &info), 0);
    ck_assert_int_eq(cs_trace_close(w), 0);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_str_eq(cs_trace_info(t)->assumptions, info.assumptions);
    cs_trace_free(t);
}
END_TEST

/* ---- counters ---- */

static const struct cs_counter_def counters[] = {
    {"a.c", "sweep", 7, 0, CS_COUNTER_LOOP, true},
    {"a.c", "sweep", 7, 1, CS_COUNTER_LOOP, true},
    {"a.c", "sweep", 9, 0, CS_COUNTER_BRANCH, false},
};
static const struct cs_count sums[] = {{0, 12}, {2, UINT64_MAX}};
static const struct cs_segment segments[] = {
    {-1, 0, 1, 1700, 2, sums},
    {0, 0, 99, 0, 1, sums + 1},
    {0, -1, 1, 5, 0, NULL},
};

static void write_counters(const struct sample *s)
{
    struct cs_trace_writer *w = sample_writer(s, path, 0);
    cs_trace_def_site(w, "a.c", 4, "main");
    for (int i = 0; i < (int)COUNT(counters); i++)
        ck_assert_int_eq(cs_trace_def_counter(w, &counters[i]), i);
    ck_assert_int_eq(cs_trace_def_counter(w, &counters[1]), 1);
    for (size_t i = 0; i < COUNT(segments); i++)
        ck_assert_int_eq(cs_trace_def_segment(w, &segments[i]), 0);
    ck_assert_int_eq(cs_trace_close(w), 0);
}

static void check_segment(const struct cs_segment *s, const struct cs_segment *want)
{
    ck_assert(s->from == want->from && s->to == want->to && s->times == want->times && s->ns == want->ns);
    ck_assert_int_eq(s->nsums, want->nsums);
    for (int i = 0; i < s->nsums; i++)
        ck_assert(s->sum[i].counter == want->sum[i].counter && s->sum[i].sum == want->sum[i].sum);
}

START_TEST(counters_come_back)
{
    struct sample s = {1, 0, false, 1, 0};
    write_counters(&s);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_msg(t != NULL, "%s", why);
    ck_assert_int_eq(cs_trace_ncounters(t, 0), (int)COUNT(counters));
    for (int i = 0; i < (int)COUNT(counters); i++) {
        const struct cs_counter_def *c = cs_trace_counter(t, 0, i), *want = &counters[i];
        ck_assert_str_eq(c->file, want->file);
        ck_assert_str_eq(c->func, want->func);
        ck_assert(c->line == want->line && c->ordinal == want->ordinal && c->kind == want->kind);
        ck_assert_int_eq(c->counted, want->counted);
    }
    ck_assert_int_eq(cs_trace_nsegments(t, 0), (int)COUNT(segments));
    for (int i = 0; i < (int)COUNT(segments); i++)
        check_segment(cs_trace_segment(t, 0, i), &segments[i]);
    ck_assert(!cs_trace_counter(t, 0, (int)COUNT(counters)) && !cs_trace_segment(t, 0, -1) &&
              !cs_trace_segment(t, 1, 0));
    cs_trace_free(t);
}
END_TEST

/* Segments stay in the file until one is asked for, as a run of many ranks reads its trace and asks for none. */
START_TEST(segments_stay_in_the_file)
{
    struct sample s = {1, 0, true, 1, 0}; /* with times, as ranks are not joined then */
    write_counters(&s);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_int_eq(truncate(path, 0), 0);
    remove(path); /* nothing comes after the end */
    ck_assert_int_eq(cs_trace_nsegments(t, 0), (int)COUNT(segments));
    cs_trace_segment(t, 0, 0); /* one line, and the end */
}
END_TEST

/* ---- sound blocks with bad content, made by hand ---- */

static void write_block(const char *defs, size_t ndefs, const char *events, size_t nevents_bytes, uint64_t nevents)
{
    struct cs_block_header h = {.nranks = 1,
                                .flags = CS_BLOCK_LAST,
                                .defs_raw = (uint32_t)ndefs,
                                .defs_stored = (uint32_t)ndefs,
                                .events_raw = (uint32_t)nevents_bytes,
                                .events_stored = (uint32_t)nevents_bytes,
                                .nevents = nevents};
    unsigned char out[512];
    memcpy(out + CS_HEADER_LEN, defs, ndefs);
    memcpy(out + CS_HEADER_LEN + ndefs, events, nevents_bytes);
    h.payload_hash = cs_trace_hash(out + CS_HEADER_LEN, ndefs + nevents_bytes);
    cs_header_encode(&h, out);
    spill(path, out, CS_HEADER_LEN + ndefs + nevents_bytes);
}

#define BYTES(s) s, sizeof(s) - 1
#define SEND_DEF "\2\11MPI_Send" /* call 0 */

static const struct {
    const char *events;
    size_t len;
    uint64_t nevents;
    const char *error;
} bad_events[] = {
    {BYTES("\20"), 1, "bad event"},                         /* symbol 0 before it is defined */
    {BYTES("\1\0\2\0\0\22"), 1, "bad event"},               /* symbol 1 of 1 */
    {BYTES("\1\0\2\0\0\21"), 1, "bad event"},               /* loop 0 of 0 */
    {BYTES("\1\0\2\0\0\3\0"), 0, "bad loop body"},          /* empty */
    {BYTES("\1\0\2\0\0\3\1\2"), 0, "bad loop body"},        /* symbol 1 of 1 */
    {BYTES("\1\0\2\0\0\3\1\1"), 0, "bad loop body"},        /* loop 0 of 0 */
    {BYTES("\1\0\2\0\0\3\2\0"), 0, "bad loop body"},        /* ends in the middle */
    {BYTES("\1\0\2\0\0\3\1\0\4\1\2"), 0, "bad loop"},       /* body 1 of 1 */
    {BYTES("\1\0\2\0\0\3\1\0\4\0\1"), 0, "bad loop"},       /* once is no loop */
    {BYTES("\1\0\2\0\0\3\1\0\4\0\2\21"), 1, "bad event"},   /* two events where one is promised */
    {BYTES("\1\0\2\0\0\3\1\0\4\0\2\5\21"), 2, "bad event"}, /* forgotten */
    {BYTES("\1\0\2\0\0\3\1\0\4\0\377\377\377\377\377\377\377\377\177\3\1\1\4\1\377\377\377\377\377\377\377\377\177"), 0,
     "bad loop"},
    {BYTES("\1\1\2\0\0\20"), 1, "bad symbol"},                  /* call 1 of 1 */
    {BYTES("\1\0\3\0\0\20"), 1, "bad symbol"},                  /* mark 3 */
    {BYTES("\1\0\2\1\0\20"), 1, "bad symbol"},                  /* site 0 of 0 */
    {BYTES("\1\0\2\0\11\20"), 1, "bad symbol"},                 /* nine fields in one byte */
    {BYTES("\1\0\2\0\377\377\377\377\17\20"), 1, "bad symbol"}, /* 2^32-1 fields */
    {BYTES("\1\0\2\0\0\2\20"), 1, "bad event"},                 /* forgotten by a reset */
    {BYTES("\7\1\0\20"), 1, "bad symbol"},                      /* like the one before, and there is none */
    {BYTES("\1\0\2\0\0\7\0\0\22"), 1, "bad symbol"},            /* like itself */
    {BYTES("\1\0\2\0\0\7\2\0\22"), 1, "bad symbol"},            /* like the second before, and there is one */
    {BYTES("\1\0\2\0\0\7\1\1\0\22"), 1, "bad symbol"},          /* but for field 0, and it has none */
    {BYTES("\1\0\2\0\2\0\0\7\1\2\377"), 0, "bad symbol"},       /* but for a field that is not there */
    {BYTES("\1\0\2\0\0\2\7\1\0\20"), 1, "bad symbol"},          /* like a forgotten one */
    {BYTES("\10"), 1, "bad event"},                             /* symbol 0 before it is defined */
    {BYTES("\1\0\2\0\0\10\10"), 2, "bad event"},                /* symbol 1 of 1 */
    {BYTES("\1\0\2\0\0\20\12"), 2, "bad record"},
    {BYTES("\1\0\2\0\0\11\1\20"), 1, "bad clock"},           /* in a run without times */
    {BYTES("\1\0\2\0\0\6\1\20"), 1, "bad scheduling delay"}, /* in a run without times */
    {BYTES("\1\0\2\0\0\20\20"), 1, "bad event"},             /* more than promised */
    {BYTES("\1\0\2\0\0\20"), 2, "missing events"},
    {BYTES("\377\377\377\377\377\377\377\377\377\377\377"), 1, "bad record"},
};

START_TEST(bad_event)
{
    write_block(BYTES(SEND_DEF), bad_events[_i].events, bad_events[_i].len, bad_events[_i].nevents);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    ck_assert_msg(t, "%s", why);
    struct cs_trace_iter *it = cs_trace_iter_open(t, 0);
    struct cs_event e;
    int rc;
    while ((rc = cs_trace_iter_next(it, &e)) == 1)
        continue;
    ck_assert_int_eq(rc, -1);
    ck_assert_msg(strstr(cs_trace_iter_error(it), bad_events[_i].error), "%s", cs_trace_iter_error(it));
    ck_assert_int_eq(cs_trace_iter_next(it, &e), -1);
    cs_trace_iter_free(it);
    cs_trace_free(t);
}
END_TEST

static const struct {
    const char *defs;
    size_t len;
} bad_defs[] = {
    {BYTES("\7")},                                    /* unknown definition */
    {BYTES("\2\0")},                                  /* call without a name */
    {BYTES("\2\11MPI_Sen")},                          /* string longer than the section */
    {BYTES("\2\3a\0")},                               /* zero byte in a string */
    {BYTES("\3\2d\20\20")},                           /* type without its pieces */
    {BYTES("\4\2w\2\0\0\1")},                         /* more members than ranks */
    {BYTES("\4\2w\1\0\0\0")},                         /* progression of length 0 */
    {BYTES("\4\2w\1\377\377\377\377\377\377\1\0\1")}, /* member beyond an int */
    {BYTES("\6\2a\377\377\377\377\377\1\2b")},        /* line beyond an int */
    {BYTES("\10\0\0\0\0\4")},                         /* a counter of kind 2 of 2 */
    {BYTES("\11\1\0\0\0\0")},                         /* a segment after site 0 of 0 */
    {BYTES("\11\0\0\0\0\1\0\0")},                     /* with a sum of counter 0 of 0 */
    {BYTES("\10\0\0\0\0\1\11\0\0\0\0\1\1\0")},        /* with a sum of counter 1 of 1 */
    {BYTES("\10\0\0\0\0\1\11\0\0\0\0\1\0")},          /* cut off */
    {BYTES("\12")},                                   /* code 10 */
};

START_TEST(bad_def)
{
    write_block(bad_defs[_i].defs, bad_defs[_i].len, "", 0, 0);
    ck_assert_str_eq(open_error(path), "bad definition in block 0 of rank 0");
}
END_TEST

START_TEST(call_of_the_future)
{
    write_block(BYTES("\2\13MPI_Future"), BYTES("\1\0\2\0\0\20"), 1);
    char why[200];
    struct cs_trace *t = cs_trace_open(path, why, sizeof why);
    struct cs_trace_iter *it = cs_trace_iter_open(t, 0);
    struct cs_event e;
    ck_assert_int_eq(cs_trace_iter_next(it, &e), -1);
    ck_assert_str_eq(cs_trace_iter_error(it), "call MPI_Future is not in this version's MPI table");
    cs_trace_iter_free(it);
    cs_trace_free(t);
}
END_TEST

/* ---- fields ---- */

static int walk(const char *call, const int64_t *fields, int n, int *args)
{
    struct cs_event e = {.call = cs_mpi_index(cs_mpi_find(call)), .nfields = n, .fields = fields};
    struct cs_field f;
    int arg = 0, at = 0, rc;
    *args = 0;
    while ((rc = cs_field_next(&e, &arg, &at, &f)) == 1)
        ++*args;
    return rc;
}

static const struct {
    const char *call;
    int64_t fields[8];
    int n, rc, args;
} field_rows[] = {
    {"MPI_Send", {100, 0, 3, 7, 0}, 5, 0, 5},
    {"MPI_Send", {100, 0, 3, 7}, 4, -1, 4},
    {"MPI_Send", {100, 0, 3, 7, 0, 0}, 6, -1, 5},
    {"MPI_Waitall", {2, 2, 1, 0}, 4, 0, 2},
    {"MPI_Waitall", {2, 3, 1, 0}, 4, -1, 1},
    {"MPI_Waitall", {2, -1, 1, 0}, 4, -1, 1},
    {"MPI_Waitany", {2, 2}, 2, 0, 2},
    {"MPI_Isend", {100, 0, 3, 7, 0}, 5, 0, 5},
    {"MPI_Barrier", {0}, 1, 0, 1},
    {"MPI_Alltoallv", {2, 1, 1, 0, 2, 1, 1, 0}, 8, -1, 4},
};

START_TEST(fields_of_calls)
{
    int args;
    ck_assert_int_eq(walk(field_rows[_i].call, field_rows[_i].fields, field_rows[_i].n, &args), field_rows[_i].rc);
    ck_assert_int_eq(args, field_rows[_i].args);
}
END_TEST

START_TEST(a_key_of_which_the_upper_half_is_0_is_in_no_set)
{
    struct cs_shared *s = calloc(1, sizeof *s);
    struct cs_key none = {.lo = 7}, some = {.lo = 7, .hi = 3};
    ck_assert_ptr_nonnull(s);
    atomic_store(&s->key[0].lo, 7); /* claimed, and not yet written */
    ck_assert(!cs_shared_has(s, none));
    cs_shared_add(s, some);
    ck_assert(cs_shared_has(s, some));
    free(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("trace");
    TCase *c = tcase_create("trace");
    tcase_set_timeout(c, 300);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, round_trip, 0, COUNT(samples));
    tcase_add_test(c, checker_fails);
    tcase_add_test(c, cut_anywhere);
    tcase_add_test(c, flip_any_bit);
    tcase_add_test(c, rubbish_between_blocks);
    tcase_add_test(c, no_trace);
    tcase_add_test(c, two_runs_in_one_file);
    tcase_add_test(c, full_from_the_start);
    tcase_add_test(c, small_file_limit);
    tcase_add_test(c, full_on_the_way);
    tcase_add_loop_test(c, killed_writer, 0, 5);
    tcase_add_test(c, killed_beside_live);
    tcase_add_test(c, group_unmaps_its_own);
    tcase_add_loop_test(c, killed_in_group, 0, 3);
    tcase_add_loop_test(c, failed_group, 0, 2);
    tcase_add_test(c, refused_events);
    tcase_add_test(c, info_replaced);
    tcase_add_test(c, counters_come_back);
    tcase_add_exit_test(c, segments_stay_in_the_file, 2);
    tcase_add_loop_test(c, bad_event, 0, COUNT(bad_events));
    tcase_add_loop_test(c, bad_def, 0, COUNT(bad_defs));
    tcase_add_test(c, call_of_the_future);
    tcase_add_loop_test(c, fields_of_calls, 0, COUNT(field_rows));
    tcase_add_test(c, a_key_of_which_the_upper_half_is_0_is_in_no_set);
    suite_add_tcase(s, c);
    return suite_main(s);
}
