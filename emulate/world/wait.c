/* SPDX-License-Identifier: BSD-3-Clause
 * Sleeping and waking on futexes. The number of running ranks, cs_emu_world->running, is never too low: a rank that
 * wakes another one counts it as running before that one runs. So when the number is 0, nothing can happen any more. */
#define _GNU_SOURCE
#include "emulate/world/wait.h"

#include <assert.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/cold.h"
#include "emulate/world/shared_memory.h"
#include "emulate/world/tape.h"
#include "emulate/world/world.h"

struct cs_emu_wait_hooks cs_emu_wait_hooks CS_COLD;

/* SPINS: how often a waiting rank looks before it sleeps. After POLLS_BEFORE_SLEEP polls in vain in a row a rank yields
 * its processor at each poll, after twice as many it sleeps between polls, for LONGEST_SLEEP at most. */
enum { SPINS = 60, POLLS_BEFORE_SLEEP = 20, LONGEST_SLEEP = 1000000 /* ns */ };

void cs_emu_wake_parent(void)
{
    atomic_fetch_add(&cs_emu_world->parent_word, 1);
    syscall(SYS_futex, &cs_emu_world->parent_word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

void cs_emu_wake(int world_rank)
{
    assert(world_rank >= 0 && world_rank < cs_emu_world->nranks);
    struct cs_emu_rank *r = &cs_emu_world->rank[world_rank];
    /* A rank that has not yet said that it sleeps must see what the caller has written. */
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&r->sleeping, memory_order_relaxed) == 0 || atomic_exchange(&r->sleeping, 0) == 0)
        return;
    atomic_fetch_add(&cs_emu_world->running, 1);
    syscall(SYS_futex, &r->sleeping, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Counts this rank, which is about to sleep, as not running. Tells the parent if that leaves room to start a rank, or
 * if no rank runs any more. */
static void leave_running(void)
{
    int now = atomic_fetch_sub(&cs_emu_world->running, 1) - 1;
    assert(now >= 0);
    if (cs_emu_rank() >= cs_emu_world->first && !atomic_load_explicit(&cs_emu_world->waited, memory_order_relaxed))
        atomic_store(&cs_emu_world->waited, 1);
    if (now == 0 || (now < cs_emu_world->jobs && atomic_load_explicit(&cs_emu_world->unborn, memory_order_relaxed) > 0))
        cs_emu_wake_parent();
}

/* Sleeps until another rank wakes this one, which has said that it sleeps. If `longest` is not NULL, sleeps at most
 * that long, and perhaps less. On return it is the waker that has counted this rank as running, if there was one. */
static void sleep_until_woken(const struct timespec *longest)
{
    leave_running();
    do
        syscall(SYS_futex, &cs_emu_me->sleeping, FUTEX_WAIT, 1, longest, NULL, 0);
    while (atomic_load(&cs_emu_me->sleeping) == 1 && !longest);
}

/* Says that the rank sleeps and then looks once more, because what came until then has woken nobody. False if the rank
 * has to sleep. True if it need not: it then no longer says so. Another rank may have woken it in between and counted
 * it as running a second time, although it did not sleep; that is taken back. */
static bool awake_after_all(bool (*ready)(void *), void *arg)
{
    atomic_store(&cs_emu_me->sleeping, 1);
    cs_emu_wait_hooks.progress();
    if (!ready(arg)) {
        cs_emu_wait_hooks.before_idle();
        return false;
    }
    if (atomic_exchange(&cs_emu_me->sleeping, 0) == 0)
        atomic_fetch_sub(&cs_emu_world->running, 1);
    return true;
}

void cs_emu_wait(bool (*ready)(void *), void *arg)
{
    assert(cs_emu_me && cs_emu_wait_hooks.progress && cs_emu_wait_hooks.before_idle);
    cs_emu_wait_hooks.progress();
    if (ready(arg))
        return;
    if (cs_emu_tape_plays())
        cs_emu_tape_starved();
    cs_emu_need_others();
    /* Spinning helps only if the rank that is waited for may be on another processor right now. */
    for (int i = 0; i < SPINS && cs_emu_world->running <= cs_emu_world->jobs; i++) {
        __builtin_ia32_pause();
        cs_emu_wait_hooks.progress();
        if (ready(arg))
            return;
    }
    while (!awake_after_all(ready, arg))
        sleep_until_woken(NULL);
    atomic_fetch_add_explicit(&cs_emu_world->steps, 1, memory_order_relaxed);
}

/* ---- polls ---- */

static unsigned in_vain; /* polls in a row that found nothing */

void cs_emu_poll_found(void)
{
    in_vain = 0;
}

/* How long a rank sleeps between two polls: the longer it has polled in vain, the longer, up to LONGEST_SLEEP. */
static struct timespec poll_interval(void)
{
    unsigned doublings = in_vain / POLLS_BEFORE_SLEEP;
    long ns = 1000L << (doublings < 10 ? doublings : 10);
    return (struct timespec){0, ns < LONGEST_SLEEP ? ns : LONGEST_SLEEP};
}

/* Sleeps a little, unless something has arrived. `call` is the MPI call that polls, a string constant. Another rank may
 * wake this one, and count it as running, at any moment while `sleeping` is 1. */
static void sleep_between_polls(const char *call)
{
    assert(cs_emu_me && in_vain >= 2 * POLLS_BEFORE_SLEEP);
    struct timespec t = poll_interval();
    cs_emu_tape_look();
    if (cs_emu_tape_plays()) {
        cs_emu_wait_hooks.progress();
        return;
    }
    cs_emu_need_others();
    cs_emu_me->note.call = call;
    cs_emu_me->note.polls = 1;
    atomic_store(&cs_emu_me->sleeping, 1);
    atomic_fetch_add(&cs_emu_world->polling, 1);
    if (!cs_emu_wait_hooks.progress())
        sleep_until_woken(&t);
    else
        atomic_fetch_sub(&cs_emu_world->running, 1);
    if (atomic_exchange(&cs_emu_me->sleeping, 0) == 1)
        atomic_fetch_add(&cs_emu_world->running, 1);
    atomic_fetch_sub(&cs_emu_world->polling, 1);
    cs_emu_me->note.polls = 0;
}

void cs_emu_poll_pause(const char *call)
{
    cs_emu_wait_hooks.before_idle();
    if (++in_vain < POLLS_BEFORE_SLEEP)
        return;
    if (in_vain < 2 * POLLS_BEFORE_SLEEP)
        sched_yield();
    else
        sleep_between_polls(call);
}
