/* SPDX-License-Identifier: BSD-3-Clause
 * Signals that end the run: what is recorded is written first. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "commlib/check/channel_check.h"
#include "commlib/lifecycle/lifecycle_internal.h"
#include "commlib/process/orphans.h"
#include "commlib/record/trace_file.h"
#include "commlib/state/lock.h"

static void die_of(int sig)
{
    struct sigaction def = {.sa_handler = SIG_DFL};
    sigaction(SIGALRM, &def, NULL);
    sigaction(sig, &def, NULL);
    alarm(3); /* should the signal have come in the middle of malloc, writing could wait for ever */
    cs_channel_deposit(false);
    cs_trace_file_cut();
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
}

void cs_signals_catch(void)
{
    cs_lock_on_cut = die_of;
    const int signals[] = {SIGTERM, SIGINT, SIGHUP, CS_ORPHANED};
    struct sigaction old, new = {.sa_handler = cs_lock_signal, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &new, NULL);
}
