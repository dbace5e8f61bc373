/* SPDX-License-Identifier: BSD-3-Clause
 * Opening, losing, cutting and closing the trace of this rank; see trace_file.h. */
#define _GNU_SOURCE
#include "commlib/record/trace_file.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cold.h"
#include "base/environment.h"
#include "base/grow.h"
#include "base/share.h"
#include "api/assumption.h"
#include "commlib/backend/backend.h"
#include "commlib/files/rank_files.h"
#include "commlib/files/read_back.h"
#include "commlib/process/say.h"
#include "commlib/record/failed_calls.h"
#include "commlib/record/recorder.h"
#include "commlib/record/unrecorded.h"
#include "commlib/record/seen_values.h"
#include "commlib/record/segments.h"
#include "commlib/state/own_slice.h"
#include "commlib/state/run_state.h"
#include "trace/write/join_ranks.h"

#ifndef CS_VERSION
#define CS_VERSION "unknown"
#endif

static const char *trace_path;
static struct cs_trace_group *group; /* of ranks that are forked from one process */
static int lost_errno;               /* why the trace cannot be written, 0: it can */
static bool said_lost;

void cs_trace_file_settings(void)
{
    trace_path = getenv(CS_ENV_TRACE);
    if (trace_path && !*trace_path)
        trace_path = NULL;
}

bool cs_trace_file_wanted(void)
{
    return trace_path != NULL;
}

static void say_lost(int rank)
{
    assert(trace_path);
    if (cs_backend_first())
        cs_say("error: rank %d cannot write the trace %s: %s; it stays incomplete", rank, trace_path,
               strerror(lost_errno));
    said_lost = true;
}

void cs_trace_file_lose(int err)
{
    lost_errno = err ? err : EIO;
    cs_run.trace = NULL; /* not freed: closing would write */
}

void cs_trace_file_cut(void)
{
    if (cs_run.trace && cs_trace_flush(cs_run.trace) != 0)
        cs_trace_file_lose(errno);
    if (lost_errno && !said_lost)
        say_lost(cs_run.rank);
    cs_run.trace = NULL;
}

/* The program's arguments, its name first, with spaces between them; malloced. NULL if they cannot be read. */
static char *read_command_line(void)
{
    FILE *f = fopen("/proc/self/cmdline", "r");
    char *text = NULL;
    size_t cap = 0, n = 0, got = 1;
    while (f && got && CS_MAKE_ROOM_FOR(text, n + 256, cap)) {
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

/* What the trace says of the run: worked out once, and kept as long as the process lives. */
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
                                .engine = cs_backend_name(),
                                .assumptions = assumptions ? assumptions : cs_own_slice.assumptions,
                                .versions = versions,
                                .nranks = cs_run.nranks,
                                .with_times = cs_run.with_times,
                                .alone = cs_backend_replays()};
    return &info;
}

void cs_trace_file_share(int nranks)
{
    if (trace_path && cs_record_start() == 0) {
        run_info();
        group = cs_trace_group_new(trace_path, nranks);
    }
}

void cs_trace_file_save_shared(void)
{
    if (group && cs_trace_group_save(group) != 0)
        cs_say("error: %s: cannot add what ended ranks had recorded: %s", trace_path, strerror(errno));
}

void cs_trace_file_fail_shared(void)
{
    if (group && cs_trace_group_fail(group, run_info()) != 0)
        cs_say("error: %s: calls itself complete though the run failed: %s", trace_path, strerror(errno));
}

void cs_trace_file_join_shared(void)
{
    if (group)
        cs_trace_join_ranks(trace_path, false); /* if that cannot be done, the trace stays as it is */
}

/* Does this rank run only for those of a share of the run, to which it does not belong? */
static bool is_guest(void)
{
    int first, end;
    cs_share_ranks(getenv(CS_ENV_SHARE), cs_run.nranks, &first, &end);
    return cs_run.rank < first || cs_run.rank >= end;
}

/* The time since 1970 at which the run's clock was at MPI_Init. */
static int64_t clock_at_init(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - (cs_now() - cs_run.t0);
}

void cs_trace_file_open(void)
{
    assert(!cs_run.trace);
    if (!trace_path || is_guest() || cs_record_start() != 0)
        return;
    cs_run.trace = group ? cs_trace_create_in(group, cs_run.rank, run_info())
                         : cs_trace_create(trace_path, cs_run.rank, run_info());
    if (!cs_run.trace) {
        lost_errno = errno;
        if (cs_run.rank == 0 || cs_backend_emulated())
            say_lost(cs_run.rank);
    } else if (cs_run.with_times)
        cs_trace_set_clock(cs_run.trace, clock_at_init());
}

/* Collective over cs_run.control with MPICH: ranks lose their traces at different moments (a full disk), and only the
 * lowest of them reports it. */
static void say_lost_once(void)
{
    int lowest, own = lost_errno ? cs_run.rank : cs_run.nranks;
    if (!trace_path)
        return;
    if (cs_backend_emulated()) { /* ranks that have ended cannot be asked */
        if (lost_errno && !said_lost)
            say_lost(cs_run.rank);
        return;
    }
    PMPI_Allreduce(&own, &lowest, 1, MPI_INT, MPI_MIN, cs_run.control);
    if (lowest == cs_run.rank && !said_lost)
        say_lost(cs_run.rank);
    said_lost = true;
}

void cs_trace_file_flush(void)
{
    if (cs_run.trace && cs_trace_flush(cs_run.trace) != 0)
        cs_trace_file_lose(errno);
    say_lost_once();
}

/* The text of the sums and the largest counters, with what was read of files and which calls failed. Collective. */
static char *count_rest(int64_t *sum, const int64_t *most)
{
    int at = cs_own_slice_find(CS_NO_READ_BACK);
    struct cs_read_back r = {0};
    if (at >= 0 && cs_file_log_on)
        r = cs_read_back_find(cs_run.control);
    if (at >= cs_own_slice.nassumptions) {
        sum[at] = r.files - r.violated;
        sum[at + 1] = r.violated;
    } else if (at >= 0)
        sum[at] = r.violated;
    at = cs_own_slice_find(CS_NO_MPI_ERRORS);
    if (at >= 0)
        sum[at] = cs_failed_calls_count();
    char *text = cs_own_slice_counted(sum, most, r.names);
    free(r.names);
    return text;
}

/* Appends `more` to the text. Frees both; NULL if there is neither, or memory is short. */
static char *join(char *text, char *more)
{
    size_t n = text ? strlen(text) : 0, k = more ? strlen(more) : 0;
    char *both = text && more ? realloc(text, n + k + 1) : NULL;
    if (!text || !more)
        return text ? text : more;
    if (both)
        memcpy(both + n, more, k + 1);
    free(both ? more : text);
    return both ? both : more;
}

/* The assumptions with the sums of all ranks, malloced, at rank 0; NULL elsewhere, or without any. Collective. */
static char *sum_violations(void)
{
    if (!cs_own_slice.violations)
        return NULL;
    int n = cs_own_slice_counters();
    int64_t *sum = calloc(2 * (size_t)n, sizeof *sum);
    char *text = NULL;
    if (sum && PMPI_Reduce(cs_own_slice.violations, sum, n, MPI_INT64_T, MPI_SUM, 0, cs_run.control) == MPI_SUCCESS &&
        PMPI_Reduce(cs_own_slice.violations, sum + n, n, MPI_INT64_T, MPI_MAX, 0, cs_run.control) == MPI_SUCCESS)
        text = count_rest(sum, sum + n);
    free(sum);
    return join(text, cs_seen_values_text(cs_run.control));
}

static void store_info(const struct cs_run_info *info)
{
    if (cs_run.rank == 0 && cs_run.trace && cs_trace_set_info(cs_run.trace, info) != 0)
        cs_trace_file_lose(errno);
}

void cs_trace_file_warn_unrecorded(const char *call)
{
    char text[128];
    struct cs_run_info info = *run_info();
    snprintf(text, sizeof text, "%s and perhaps others: not counted, as the run did not end", call);
    info.unrecorded = text;
    store_info(&info);
}

/* With the emulated library a call that would have to be counted has ended the run. */
void cs_trace_file_store_sums(void)
{
    if (!trace_path || cs_run.control == MPI_COMM_NULL)
        return;
    char *violations = sum_violations(), *unrecorded = cs_backend_emulated() ? NULL : cs_unrecorded_sum();
    if (violations || unrecorded) {
        struct cs_run_info info = *run_info();
        info.assumptions = violations ? violations : info.assumptions;
        info.unrecorded = unrecorded;
        store_info(&info);
    }
    free(violations);
    free(unrecorded);
}

void cs_trace_file_close(bool complete)
{
    if (complete)
        cs_segments_store(); /* which may lose the trace */
    if (lost_errno && !said_lost)
        say_lost(cs_run.rank);
    if (!cs_run.trace)
        return;
    if (!complete) {
        cs_trace_file_cut();
    } else if (cs_trace_close(cs_run.trace) != 0) {
        lost_errno = errno;
        say_lost(cs_run.rank);
    }
    cs_run.trace = NULL;
}
