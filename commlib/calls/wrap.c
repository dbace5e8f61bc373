/* SPDX-License-Identifier: BSD-3-Clause
 * The way of one outermost MPI call: whose it is, what it says, its transmission, the event.
 * All entry points of wrappers.c end in cs_dispatch. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <unistd.h>

#include "commlib/calls/wrap.h"
#include "commlib/record/comm_paths.h"
#include "commlib/record/failed_calls.h"
#include "commlib/transmit/transmit.h"
#include "commlib/state/sched_delay.h"
#include "commlib/transmit/poison_buffers.h"
#include "commlib/record/recorder.h"
#include "commlib/state/run_state.h"
#include "commlib/lifecycle/lifecycle.h"
#include "commlib/backend/real_calls.h"
#include "commlib/record/trace_file.h"
#include "commlib/state/lock.h"
#include "commlib/process/say.h"
#include "commlib/record/call_sites.h"
#include "commlib/record/type_signatures.h"
#include "commlib/record/unrecorded.h"
#include "commlib/backend/backend.h"
#include "commlib/turns/turns_run.h"
#include "commlib/check/hang_detector.h"
#include "commlib/live/monitored_calls.h"

/* Type_free, Op_free and freed communicators: what is kept about the handle is not true any more. */
static void forget_freed(const struct cs_call *c, int handle)
{
    if (cs_call_has(c, CS_ROLE_TYPE_UPD))
        cs_type_forget(handle);
    else if (cs_call_has(c, CS_ROLE_OP_UPD))
        cs_op_forget(handle);
    else if (cs_call_has(c, CS_ROLE_COMM_UPD))
        cs_comm_forget(handle);
}

static int freed_handle(const struct cs_call *c)
{
    static const enum cs_role roles[] = {CS_ROLE_TYPE_UPD, CS_ROLE_OP_UPD, CS_ROLE_COMM_UPD};
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (cs_call_has(c, roles[i]))
            return *(int *)cs_call_ptr(c, roles[i]);
    return 0;
}

/* After the call: what the call has made and freed, and the event. */
static void finish(struct cs_call *c, struct cs_fields *f, bool succeeded, int freed, const int64_t time[3])
{
    cs_lock();
    if (succeeded && cs_call_has(c, CS_ROLE_NEWCOMM)) {
        int made = cs_comm_made(c, *(MPI_Comm *)cs_call_ptr(c, CS_ROLE_NEWCOMM));
        if (cs_run.trace && f->newcomm_at >= 0)
            f->v[f->newcomm_at] = made;
    }
    if (cs_run.trace && (c->info->flags & CS_MPI_EVENT) && !c->polled_in_vain)
        cs_record_event(f, c, time[0], time[1], time[2]);
    if (cs_live_on)
        cs_live_calls_leave(cs_run.with_times ? cs_run.t0 + time[1] : 0,
                            (c->info->flags & CS_MPI_EVENT) && !c->polled_in_vain);
    if (succeeded)
        forget_freed(c, freed);
    cs_unlock();
}

static int run_call(struct cs_call *c)
{
    struct cs_fields f; /* an initialiser would clear all of it, at each call */
    f.v = f.few;
    f.newcomm_at = -1;
    int64_t time[3] = {0}; /* enter, exit, lost before */
    if (cs_run.with_times) {
        time[0] = cs_now() - cs_run.t0;
        time[2] = cs_sched_delay_enter(time[0]);
    }
    cs_lock();
    if (cs_run.trace && (c->info->flags & CS_MPI_EVENT))
        cs_record_fields(&f, c);
    if (cs_live_on)
        cs_live_calls_enter(c, cs_run.with_times ? cs_run.t0 + time[0] : 0);
    cs_unlock();
    int freed = freed_handle(c);
    cs_hang_detector_enter(c);
    int rc = cs_transmit(c);
    cs_hang_detector_leave(c);
    if (c->poison)
        cs_poison_received(c);
    time[1] = cs_run.with_times ? cs_now() - cs_run.t0 : 0;
    uint32_t blocks = cs_run.trace ? cs_trace_blocks(cs_run.trace) : 0;
    finish(c, &f, rc == MPI_SUCCESS, freed, time);
    if (cs_run.with_times)
        cs_sched_delay_exit(time[1], cs_run.trace && cs_trace_blocks(cs_run.trace) != blocks);
    cs_fields_free(&f);
    return rc;
}

/* Calls that really happen whatever their mark says. */
static bool always_happens(const struct cs_mpi_call *c)
{
    bool window =
        c->kind == CS_MPI_RMA && (cs_mpi_has_role(c, CS_ROLE_NEWCOMM) || cs_mpi_has_role(c, CS_ROLE_COMM_UPD));
    return c->kind == CS_MPI_INIT || c->kind == CS_MPI_FINALIZE || c->kind == CS_MPI_COMM_CTOR || window;
}

/* Engine emulate can have only one thread of a rank inside MPI at a time: a second one ends the run. True: leave_alone
 * has to follow. */
static _Atomic int threads_inside;

static bool enter_alone(const struct cs_call *c)
{
    if (__libc_single_threaded || !cs_backend_emulated())
        return false;
    if (atomic_fetch_add(&threads_inside, 1) == 0)
        return true;
    cs_say("error: rank %d: %s while another thread is inside MPI: engine emulate cannot do that; --engine mpich can",
           cs_run.rank, c->info->name);
    cs_trace_file_cut();
    _exit(2);
}

static void leave_alone(bool entered)
{
    if (entered)
        atomic_fetch_sub(&threads_inside, 1);
}

int cs_dispatch(int index, union cs_arg *a, const void *caller)
{
    if (cs_call_depth)
        return cs_real[index](a);
    struct cs_call c = {.info = cs_mpi_call(index), .shape = &cs_shapes[index], .a = a, .index = index, .site = -1};
    bool entered = enter_alone(&c);
    int rc,
        program_errno =
            errno; /* recording must not show in the program, and a slice's calls do other things than the original's */
    cs_call_depth++;
    if (c.info->kind == CS_MPI_INIT) {
        rc = cs_lifecycle_init(&c, caller);
    } else if (!cs_run.started) {
        cs_lifecycle_prepare();
        rc = cs_real[index](a); /* an error, which the library shall report */
    } else if (c.info->kind == CS_MPI_UNSUPPORTED) {
        cs_unrecorded_count(&c);
        cs_turns_call(&c);
        rc = cs_real[index](a);
    } else {
        cs_lock();
        cs_site_take(&c, caller);
        cs_unlock();
        cs_backend_at(cs_site_where(c.site));
        if (always_happens(c.info))
            c.mark = CS_MARK_CONTENT;
        rc = c.info->kind == CS_MPI_FINALIZE ? cs_lifecycle_finalize(&c)
             : c.info->kind == CS_MPI_ABORT  ? cs_lifecycle_abort(&c)
                                             : run_call(&c);
        cs_turns_call(&c);
    }
    if (rc != MPI_SUCCESS)
        cs_failed_call(&c);
    cs_call_depth--;
    leave_alone(entered);
    errno = program_errno;
    return rc;
}
