/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Finalize, MPI_Abort, exit, and the end of all forked ranks. */
#include <stdlib.h>

#include "commlib/backend/real_calls.h"
#include "commlib/check/channel_check.h"
#include "commlib/check/hang_detector.h"
#include "commlib/check/hang_timer.h"
#include "commlib/lifecycle/lifecycle_internal.h"
#include "commlib/live/monitored_calls.h"
#include "commlib/process/run_end.h"
#include "commlib/record/trace_file.h"
#include "commlib/state/lock.h"
#include "commlib/state/run_state.h"
#include "commlib/state/sched_delay.h"
#include "commlib/transmit/late_receives.h"
#include "commlib/turns/turns_run.h"

static void at_exit(void)
{
    if (!cs_run.started)
        return;
    cs_lock();
    cs_trace_file_cut();
    cs_unlock();
    cs_live_calls_stop();
}

void cs_end_register_at_exit(void)
{
    static bool done;
    if (!done)
        atexit(at_exit);
    done = true;
}

int cs_lifecycle_over(bool hangs)
{
    cs_trace_file_save_shared();
    cs_live_calls_over();
    int wrong = cs_channels_check_shared(hangs);
    if (wrong)
        cs_trace_file_fail_shared();
    cs_trace_file_join_shared();
    return wrong ? CS_EXIT_CHANNELS : 0;
}

int cs_lifecycle_finalize(struct cs_call *c)
{
    int64_t t_enter = cs_now(), delay = cs_run.with_times ? cs_sched_delay_enter(t_enter - cs_run.t0) : 0;
    cs_hang_detector_enter(c);
    if (cs_live_on)
        cs_live_calls_enter(c, cs_run.with_times ? t_enter : 0);
    cs_late_end();
    int wrong = cs_channels_check();
    cs_turns_log_end();
    cs_trace_file_store_sums();
    cs_trace_file_flush();
    cs_hang_detector_leave(c);
    cs_hang_timer_stop(); /* before the detector, whose memory it reads */
    cs_hang_detector_stop();
    if (cs_run.control != MPI_COMM_NULL)
        PMPI_Comm_free(&cs_run.control);
    int rc = cs_real[c->index](c->a);
    cs_lifecycle_record(c, t_enter, delay);
    cs_run.started = false;
    cs_live_calls_stop();
    cs_trace_file_close(wrong == 0);
    if (wrong != 0)
        exit(CS_EXIT_CHANNELS);
    return rc;
}

int cs_lifecycle_abort(struct cs_call *c)
{
    cs_lock();
    cs_trace_file_cut();
    cs_unlock();
    return cs_real[c->index](c->a);
}
