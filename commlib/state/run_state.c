/* SPDX-License-Identifier: BSD-3-Clause
 * Begin and end of a run, however it ends: settings, the trace, the lock, signals, the exit status.
 * Environment: COMMSLICE_TRACE (path; without it nothing is recorded), COMMSLICE_TIMES=1, COMMSLICE_ASSUMPTIONS, and
 * COMMSLICE_PATIENCE of hang_detector.c. */
#define _GNU_SOURCE
#include "commlib/state/run_state.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/cold.h"
#include "commlib/check/channel_internal.h"
#include "commlib/check/channel_check.h"
#include "commlib/transmit/transmit.h"
#include "commlib/state/sched_delay.h"
#include "commlib/process/orphans.h"
#include "commlib/record/recorder.h"
#include "commlib/process/say.h"
#include "commlib/record/call_sites.h"
#include "commlib/state/own_slice.h"
#include "commlib/check/hang_timer.h"
#include "commlib/lifecycle/backend.h"
#include "commlib/check/hang_detector.h"

#ifndef CS_VERSION
#define CS_VERSION "unknown"
#endif

enum { EXIT_CHANNELS = 3 }; /* exit status after a marked call met an unmarked one */

struct cs_run cs_run = {.control = MPI_COMM_NULL};
struct cs_shape cs_shapes[512] CS_COLD;

static const char *trace_path;
static struct cs_trace_group *group; /* of ranks that are forked from one process */
static int lost_errno;               /* why the trace cannot be written, 0: it can */
static bool said_lost;

int64_t cs_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- the lock, and signals that want to end the run ---- */

static atomic_int held;
static volatile sig_atomic_t pending_signal;

static void die_of(int sig)
{
    struct sigaction def = {.sa_handler = SIG_DFL};
    sigaction(SIGALRM, &def, NULL);
    sigaction(sig, &def, NULL);
    alarm(3); /* should the signal have come in the middle of malloc, writing could wait for ever */
    cs_channel_deposit(false);
    cs_run_cut();
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
}

static void on_signal(int sig)
{
    if (atomic_exchange(&held, 1))
        pending_signal = sig;
    else
        die_of(sig);
}

/* Alone, only a signal can come in between, and that one ends the run or finds the lock held: no locked instruction is
 * needed. */
void cs_lock(void)
{
    if (__libc_single_threaded && !atomic_load_explicit(&held, memory_order_relaxed)) {
        atomic_store_explicit(&held, 1, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst);
        return;
    }
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
        sched_yield();
}

void cs_unlock(void)
{
    atomic_store_explicit(&held, 0, memory_order_release);
    if (pending_signal)
        die_of(pending_signal);
}

/* Only where the program itself does nothing about the signal. */
static void catch_signals(void)
{
    const int signals[] = {SIGTERM, SIGINT, SIGHUP, CS_ORPHANED};
    struct sigaction old, new = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &new, NULL);
}

/* ---- the trace ---- */

static void say_lost(int rank)
{
    if (cs_under_first())
        cs_say("error: rank %d cannot write the trace %s: %s; it stays incomplete", rank, trace_path,
               strerror(lost_errno));
    said_lost = true;
}

void cs_run_lose_trace(int err)
{
    lost_errno = err ? err : EIO;
    cs_run.trace = NULL; /* not freed: closing would write */
}

void cs_run_cut(void)
{
    if (cs_run.trace && cs_trace_flush(cs_run.trace) != 0)
        cs_run_lose_trace(errno);
    if (lost_errno && !said_lost)
        say_lost(cs_run.rank);
    cs_run.trace = NULL;
}

static void at_exit(void)
{
    if (!cs_run.started)
        return;
    cs_lock();
    cs_run_cut();
    cs_unlock();
}

/* Once, and before ranks are forked: the C library's list of such functions then is not written in each of them. */
static void register_at_exit(void)
{
    static bool done;
    if (!done)
        atexit(at_exit);
    done = true;
}

/* The words with spaces between. NULL if they cannot be read. */
static char *read_command_line(void)
{
    FILE *f = fopen("/proc/self/cmdline", "r");
    char *text = NULL;
    size_t cap = 0, n = 0, got = 1;
    while (f && got) {
        if (cap - n < 2) {
            char *more = realloc(text, cap = cap ? 2 * cap : 256);
            if (!more)
                break;
            text = more;
        }
        n += got = fread(text + n, 1, cap - n - 1, f);
    }
    if (f)
        fclose(f);
    for (size_t i = 0; i + 1 < n; i++)
        if (text[i] == 0)
            text[i] = ' ';
    if (text)
        text[n] = 0;
    return text;
}

static void library_version(char *out, size_t len)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int n;
    PMPI_Get_library_version(text, &n);
    text[strcspn(text, "\n")] = 0;
    for (char *p = text; *p; p++)
        if (*p == '\t')
            *p = ' ';
    snprintf(out, len, "commslice " CS_VERSION ", %.200s", text);
}

/* What the trace says of the run; the strings live as long as the process. */
static struct cs_run_info *run_info(void)
{
    static char exe[4096] CS_COLD, versions[512] CS_COLD;
    static struct cs_run_info info CS_COLD;
    if (info.program)
        return &info;
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = 0;
    library_version(versions, sizeof versions);
    const char *assumptions = getenv(CS_ENV_ASSUMPTIONS);
    info = (struct cs_run_info){.program = exe,
                                .args = read_command_line(),
                                .kind = cs_run.is_slice ? "slice" : "original",
                                .engine = cs_under_name(),
                                .assumptions = assumptions ? assumptions : cs_own_slice.assumptions,
                                .versions = versions,
                                .nranks = cs_run.nranks,
                                .with_times = cs_run.with_times};
    return &info;
}

static void open_trace(void)
{
    cs_run.trace = group ? cs_trace_create_in(group, cs_run.rank, run_info())
                         : cs_trace_create(trace_path, cs_run.rank, run_info());
    if (!cs_run.trace) {
        lost_errno = errno;
        if (cs_run.rank == 0 || cs_under_emulated())
            say_lost(cs_run.rank);
    }
}

/* ---- begin ---- */

/* The main() of a slice asks for this: without us it would hand null buffers to the MPI library. */
__attribute__((constructor)) static void say_here(void)
{
    setenv(CS_ENV_RUNTIME, "1", 1);
}

static void make_shapes(void)
{
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        memset(cs_shapes[i].at, -1, sizeof cs_shapes[i].at);
        cs_shapes[i].last_tag = -1;
        for (int k = c->nargs - 1; k >= 0; k--) {
            cs_shapes[i].at[c->args[k].role] = (int8_t)k;
            if (c->args[k].role == CS_ROLE_TAG && cs_shapes[i].last_tag < 0)
                cs_shapes[i].last_tag = (int8_t)k;
        }
    }
}

static void prepare_once(void)
{
    if ((size_t)cs_mpi_ncalls() > sizeof cs_shapes / sizeof cs_shapes[0])
        abort(); /* the table has outgrown this array: a build that was never tested */
    make_shapes();
    cs_resolve_real();
}

void cs_run_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare_once);
}

static void read_settings(bool says)
{
    char err[256];
    const char *times = getenv(CS_ENV_TIMES);
    if (cs_own_slice_load(err, sizeof err) != 0 && says)
        cs_say("error: %s", err);
    cs_run.is_slice = cs_own_slice.is_slice;
    cs_run.with_times = times && strcmp(times, "1") == 0;
    trace_path = getenv(CS_ENV_TRACE);
    if (trace_path && !*trace_path)
        trace_path = NULL;
    cs_channels_on = cs_run.is_slice && cs_own_slice_has_unmarked() && cs_run.nranks > 1;
}

/* All that does not depend on the rank. A trace that cannot be had is reported by rank 0, as without us. */
void cs_run_warm_up(int nranks)
{
    cs_run.nranks = nranks;
    cs_run_prepare();
    read_settings(false);
    cs_sites_start();
    register_at_exit();
    if (trace_path && cs_record_start() == 0) {
        run_info();
        group = cs_trace_group_new(trace_path, nranks);
    }
    if (cs_channels_on)
        cs_channels_share();
}

int cs_run_over(bool hangs)
{
    if (group && cs_trace_group_save(group) != 0)
        cs_say("error: %s: cannot add what ended ranks had recorded: %s", trace_path, strerror(errno));
    if (cs_channels_check_shared(hangs) == 0)
        return 0;
    if (group && cs_trace_group_fail(group, run_info()) != 0)
        cs_say("error: %s: calls itself complete though the run failed: %s", trace_path, strerror(errno));
    return EXIT_CHANNELS;
}

static void start_run(void)
{
    cs_under_start();
    PMPI_Comm_rank(MPI_COMM_WORLD, &cs_run.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &cs_run.nranks);
    read_settings(cs_run.rank == 0);
    cs_sites_start();
    if (trace_path && cs_record_start() == 0)
        open_trace();
    if (cs_channels_meet() || (trace_path && (cs_own_slice.violations || !cs_under_emulated())))
        PMPI_Comm_dup(MPI_COMM_WORLD, &cs_run.control);
    if (!cs_under_emulated()) /* it sees itself when all ranks wait */
        cs_watch_start();
    if (cs_channels_on && !cs_under_emulated() && cs_tick_start() != 0)
        cs_say("warning: rank %d runs without a hang detector: no thread", cs_run.rank);
    catch_signals();
    register_at_exit();
    cs_run.started = true;
}

/* Init and Finalize have no arguments that are recorded. */
static void record_plain(struct cs_call *c, int64_t t_enter, int64_t lost)
{
    struct cs_fields f;
    int64_t enter = t_enter - cs_run.t0, exit = cs_now() - cs_run.t0;
    cs_lock();
    if (cs_run.trace) {
        cs_record_fields(&f, c);
        cs_record_event(&f, c, cs_run.with_times ? enter : 0, cs_run.with_times ? exit : 0, lost);
        cs_fields_free(&f);
    }
    cs_unlock();
    if (cs_run.with_times)
        cs_lost_exit(exit, true);
}

int cs_run_init(struct cs_call *c, const void *caller)
{
    cs_run_prepare();
    cs_run.t0 = cs_now();
    int rc = cs_real[c->index](c->a);
    if (rc != MPI_SUCCESS || cs_run.started)
        return rc;
    start_run();
    cs_site_take(c, caller);
    c->mark = CS_MARK_CONTENT;
    record_plain(c, cs_run.t0, 0);
    return rc;
}

/* ---- end ---- */

/* Ranks that run out of disk do so at different moments; one of them is enough to say it. */
static void say_lost_once(void)
{
    int lowest, own = lost_errno ? cs_run.rank : cs_run.nranks;
    if (!trace_path)
        return;
    if (cs_under_emulated()) { /* ranks that have ended cannot be asked */
        if (lost_errno && !said_lost)
            say_lost(cs_run.rank);
        return;
    }
    PMPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, cs_run.control);
    if (lowest == cs_run.rank && !said_lost)
        say_lost(cs_run.rank);
    said_lost = true;
}

/* An instrumented original has counted how often its assumptions were wrong: all ranks together, into the trace. */
static void store_violations(void)
{
    if (!cs_own_slice.violations || !trace_path)
        return;
    int64_t *sum = calloc((size_t)cs_own_slice.nassumptions, sizeof *sum);
    char *text = NULL;
    if (sum && PMPI_Reduce(cs_own_slice.violations, sum, cs_own_slice.nassumptions, MPI_INT64_T, MPI_SUM, 0, cs_run.control) ==
                   MPI_SUCCESS)
        text = cs_own_slice_counted(sum);
    free(sum);
    if (text && cs_run.rank == 0 && cs_run.trace) {
        struct cs_run_info info = *run_info();
        info.assumptions = text;
        if (cs_trace_set_info(cs_run.trace, &info) != 0)
            cs_run_lose_trace(errno);
    }
    free(text);
}

static void close_trace(bool complete)
{
    if (!cs_run.trace)
        return;
    if (!complete) {
        cs_run_cut();
    } else if (cs_trace_close(cs_run.trace) != 0) {
        lost_errno = errno;
        say_lost(cs_run.rank);
    }
    cs_run.trace = NULL;
}

int cs_run_finalize(struct cs_call *c)
{
    int64_t t_enter = cs_now(), lost = cs_run.with_times ? cs_lost_enter(t_enter - cs_run.t0) : 0;
    cs_watch_enter(c);
    int wrong = cs_channels_check();
    store_violations();
    if (cs_run.trace && cs_trace_flush(cs_run.trace) != 0)
        cs_run_lose_trace(errno);
    say_lost_once();
    cs_watch_leave(c);
    cs_tick_stop();
    cs_watch_stop();
    if (cs_run.control != MPI_COMM_NULL)
        PMPI_Comm_free(&cs_run.control);
    int rc = cs_real[c->index](c->a);
    record_plain(c, t_enter, lost);
    cs_run.started = false;
    close_trace(wrong == 0);
    if (wrong != 0)
        exit(EXIT_CHANNELS);
    return rc;
}

int cs_run_abort(struct cs_call *c)
{
    cs_lock();
    cs_run_cut();
    cs_unlock();
    return cs_real[c->index](c->a);
}
