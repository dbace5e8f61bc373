/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder's lock. It spins: it is held only for nanoseconds, and a signal handler may have to take it. */
#include "commlib/state/lock.h"

#include <assert.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/single_threaded.h>

void (*cs_lock_on_cut)(int sig);

static atomic_int held;
static volatile sig_atomic_t pending_signal;

void cs_lock_signal(int sig)
{
    assert(cs_lock_on_cut != NULL);
    if (atomic_exchange(&held, 1))
        pending_signal = sig;
    else
        cs_lock_on_cut(sig);
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
        cs_lock_on_cut(pending_signal);
}
