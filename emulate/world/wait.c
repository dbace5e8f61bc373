/* SPDX-License-Identifier: BSD-3-Clause
 * Sleeping and waking on futexes. The number of running ranks is never too low: who wakes a rank counts it before it
 * runs, so when the number is 0 nothing can happen any more. */
#define _GNU_SOURCE
#include "emulate/world/wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "emulate/messages/flow.h"
#include "emulate/messages/message.h"
#include "emulate/world/shared_memory.h"

enum { SPINS = 60, POLLS_BEFORE_SLEEP = 20, LONGEST_SLEEP = 1000000 /* ns */ };

void cs_emu_wake_parent(void)
{
    atomic_fetch_add(&cs_emu_world->parent_word, 1);
    syscall(SYS_futex, &cs_emu_world->parent_word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void cs_emu_wake(int world_rank)
{
    struct cs_emu_rank *r = &cs_emu_world->rank[world_rank];
    /* What was written before must be seen by a rank that has not yet said that it sleeps. */
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&r->sleeping, memory_order_relaxed) == 0 || atomic_exchange(&r->sleeping, 0) == 0)
        return;
    atomic_fetch_add(&cs_emu_world->running, 1);
    syscall(SYS_futex, &r->sleeping, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* The place of this rank is free: is there anybody to take it, or nobody left at all? */
static void leave_running(void)
{
    int now = atomic_fetch_sub(&cs_emu_world->running, 1) - 1;
    if (now == 0 || (now < cs_emu_world->jobs && atomic_load_explicit(&cs_emu_world->unborn, memory_order_relaxed) > 0))
        cs_emu_wake_parent();
}

static void sleep_until_woken(const struct timespec *longest)
{
    leave_running();
    do
        syscall(SYS_futex, &cs_emu_me->sleeping, FUTEX_WAIT, 1, longest, NULL, 0);
    while (atomic_load(&cs_emu_me->sleeping) == 1 && !longest);
}

/* True if the rank need not sleep. Somebody may have woken, and counted, it although it did not sleep. */
static bool awake_after_all(bool (*ready)(void *), void *arg)
{
    atomic_store(&cs_emu_me->sleeping, 1);
    cs_emu_progress();
    if (!ready(arg)) {
        cs_emu_flow_tell();
        return false;
    }
    if (atomic_exchange(&cs_emu_me->sleeping, 0) == 0)
        atomic_fetch_sub(&cs_emu_world->running, 1);
    return true;
}

void cs_emu_wait(bool (*ready)(void *), void *arg)
{
    cs_emu_progress();
    if (ready(arg))
        return;
    /* Worth it only when whom we wait for may be on another processor right now. */
    for (int i = 0; i < SPINS && cs_emu_world->running <= cs_emu_world->jobs; i++) {
        __builtin_ia32_pause();
        cs_emu_progress();
        if (ready(arg))
            return;
    }
    while (!awake_after_all(ready, arg))
        sleep_until_woken(NULL);
    atomic_fetch_add_explicit(&cs_emu_world->steps, 1, memory_order_relaxed);
}

static unsigned in_vain;

void cs_emu_poll_found(void)
{
    in_vain = 0;
}

void cs_emu_poll_pause(const char *call)
{
    cs_emu_flow_tell();
    if (++in_vain < POLLS_BEFORE_SLEEP)
        return;
    if (in_vain < 2 * POLLS_BEFORE_SLEEP) {
        sched_yield();
        return;
    }
    long ns = 1000L << (in_vain / POLLS_BEFORE_SLEEP < 10 ? in_vain / POLLS_BEFORE_SLEEP : 10);
    struct timespec t = {0, ns < LONGEST_SLEEP ? ns : LONGEST_SLEEP};
    cs_emu_me->note.call = call;
    cs_emu_me->note.polls = 1;
    atomic_store(&cs_emu_me->sleeping, 1);
    atomic_fetch_add(&cs_emu_world->polling, 1);
    if (!cs_emu_progress())
        sleep_until_woken(&t);
    else
        atomic_fetch_sub(&cs_emu_world->running, 1);
    if (atomic_exchange(&cs_emu_me->sleeping, 0) == 1)
        atomic_fetch_add(&cs_emu_world->running, 1);
    atomic_fetch_sub(&cs_emu_world->polling, 1);
    cs_emu_me->note.polls = 0;
}
