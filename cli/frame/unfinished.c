/* SPDX-License-Identifier: BSD-3-Clause
 * Removes unfinished files on a signal; see unfinished.h.
 * The list is only changed while these signals are blocked, so the handler never sees it half changed. */
#define _GNU_SOURCE 1
#include "cli/frame/unfinished.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP};
/* How many signals these are. */
enum { NDEADLY = sizeof deadly / sizeof *deadly };

static char **names;
static int nnames, room;
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

/* Room for one more name, while the signals are blocked; false: there is no memory. */
static bool make_room(void)
{
    int more = room ? 2 * room : 64;
    char **moved = nnames < room ? names : realloc(names, (size_t)more * sizeof *names);
    if (!moved)
        return false;
    room = nnames < room ? room : more;
    names = moved;
    return true;
}

/* Without memory for its name, a file stays if a signal ends the command. */
void cs_unfinished(const char *name)
{
    sigset_t old;
    char *copy = strdup(name);
    block(&old);
    if (!owner)
        catch_signals();
    owner = getpid();
    if (copy && make_room())
        names[nnames++] = copy;
    else
        free(copy);
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
