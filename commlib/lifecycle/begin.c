/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Init, and what comes before it.
 * Environment: COMMSLICE_TIMES=1, and what trace_file.c and hang_detector.c read. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "commlib/backend/backend.h"
#include "commlib/backend/real_calls.h"
#include "commlib/check/channel_check.h"
#include "commlib/check/hang_detector.h"
#include "commlib/check/hang_timer.h"
#include "commlib/lifecycle/lifecycle_internal.h"
#include "commlib/live/monitored_calls.h"
#include "commlib/process/say.h"
#include "commlib/record/call_sites.h"
#include "commlib/record/recorder.h"
#include "commlib/record/seen_values.h"
#include "commlib/record/trace_file.h"
#include "commlib/state/lock.h"
#include "commlib/state/own_slice.h"
#include "commlib/state/run_state.h"
#include "commlib/state/sched_delay.h"
#include "commlib/turns/turns_run.h"

/* The main() of a slice asks for this: without us it would hand null buffers to the MPI library. */
__attribute__((constructor)) static void say_here(void)
{
    setenv(CS_ENV_RUNTIME, "1", 1);
}

static void prepare_once(void)
{
    cs_shapes_make();
    cs_resolve_real();
}

void cs_lifecycle_prepare(void)
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
    cs_seen_values_start();
    cs_left_out_start();
    cs_turns_start();
    cs_run.with_times = times && strcmp(times, "1") == 0;
    cs_trace_file_settings();
    cs_channels_start();
}

/* All that does not depend on the rank. A trace that cannot be had is reported by rank 0, as without us. */
void cs_lifecycle_warm_up(int nranks)
{
    cs_run.nranks = nranks;
    cs_lifecycle_prepare();
    read_settings(false);
    cs_sites_start();
    cs_end_register_at_exit();
    cs_trace_file_share(nranks);
    cs_live_calls_share(nranks);
    if (cs_channels_on)
        cs_channels_share();
}

static void start_run(void)
{
    cs_backend_start();
    PMPI_Comm_rank(MPI_COMM_WORLD, &cs_run.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &cs_run.nranks);
    read_settings(cs_run.rank == 0);
    cs_sites_start();
    cs_trace_file_open();
    cs_turns_log_begin();
    cs_live_calls_start();
    if (cs_channels_meet() || (cs_trace_file_wanted() && (cs_own_slice.violations || !cs_backend_emulated())))
        PMPI_Comm_dup(MPI_COMM_WORLD, &cs_run.control);
    if (!cs_backend_emulated()) /* the emulated library notices itself when all ranks wait */
        cs_hang_detector_start();
    if (cs_channels_on && !cs_backend_emulated() && cs_hang_timer_start() != 0)
        cs_say("warning: rank %d runs without a hang detector: no thread", cs_run.rank);
    cs_signals_catch();
    cs_end_register_at_exit();
    cs_run.started = true;
}

void cs_lifecycle_record(struct cs_call *c, int64_t t_enter, int64_t delay)
{
    struct cs_fields f;
    int64_t enter = t_enter - cs_run.t0, exit = cs_now() - cs_run.t0;
    cs_lock();
    if (cs_run.trace) {
        cs_record_fields(&f, c);
        cs_record_event(&f, c, cs_run.with_times ? enter : 0, cs_run.with_times ? exit : 0, delay);
        cs_fields_free(&f);
    }
    cs_unlock();
    if (cs_run.with_times)
        cs_sched_delay_exit(exit, true);
}

int cs_lifecycle_init(struct cs_call *c, const void *caller)
{
    cs_lifecycle_prepare();
    cs_run.t0 = cs_now();
    int rc = cs_real[c->index](c->a);
    if (rc != MPI_SUCCESS || cs_run.started)
        return rc;
    start_run();
    cs_site_take(c, caller);
    c->mark = CS_MARK_CONTENT;
    cs_lifecycle_record(c, cs_run.t0, 0);
    return rc;
}
