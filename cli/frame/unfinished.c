/* SPDX-License-Identifier: BSD-3-Clause
 * Removes unfinished files on a signal; see unfinished.h.
 * The list is only changed while these signals are blocked, so the handler never sees it half changed. */
#define _GNU_SOURCE 1
#include "cli/frame/unfinished.h"

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Names that fit in the list; what comes later stays if a signal ends the command. */
enum { MOST = 64 };
static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
/* How many signals these are. */
enum { NDEADLY = sizeof deadly / sizeof *deadly };

static char *names[MOST];
static int nnames;
static pid_t owner; /* the process that made them: a forked child removes none */

static void on_signal(int sig)
{
    for (int i = nnames; i > 0 && getpid() == owner; i--)
        if (unlink(names[i - 1]))
            rmdir(names[i - 1]);
    signal(sig, SIG_DFL);
    raise(sig);
}

static void catch_signals(void)
{
    struct sigaction a = {.sa_handler = on_signal}, old;
    for (int i = 0; i < NDEADLY; i++)
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(deadly[i], &a, NULL);
}

static void block(sigset_t *old)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < NDEADLY; i++)
        sigaddset(&set, deadly[i]);
    sigprocmask(SIG_BLOCK, &set, old);
}

void cs_unfinished(const char *name)
{
    sigset_t old;
    char *copy = nnames < MOST ? strdup(name) : NULL;
    if (!copy)
        return;
    block(&old);
    if (!owner)
        catch_signals();
    owner = getpid();
    assert(nnames < MOST);
    names[nnames++] = copy;
    sigprocmask(SIG_SETMASK, &old, NULL);
}

void cs_finished(const char *name)
{
    sigset_t old;
    block(&old);
    for (int i = nnames - 1; i >= 0; i--) {
        if (strcmp(names[i], name))
            continue;
        free(names[i]);
        memmove(&names[i], &names[i + 1], (size_t)(--nnames - i) * sizeof *names);
        break;
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
}
