/* SPDX-License-Identifier: BSD-3-Clause
 * Running a command; see child.h.
 * A signal that a terminal sends reaches the command by itself; one that a process sends to us alone is handed on. */
#define _GNU_SOURCE 1
#include "cli/launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commlib/process/orphans.h"
#include "cli/frame/cli.h"

/* How long is waited: for what the program leaves running, after the time limit, and until a signal is sent again. */
enum { ORPHANS_GRACE_MS = 1000, TIMEOUT_GRACE_S = 5, INSIST_S = 3 };

static volatile sig_atomic_t got, times;
static volatile pid_t child;
static const int handed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
/* How many signals are handed on. */
enum { NSIGNALS = sizeof handed_on / sizeof handed_on[0] };

/* Hands a signal on to the command if a process sent it (one from the terminal reaches the command as well); the third
 * signal kills the command. */
static void on_signal(int sig, siginfo_t *info, void *unused)
{
    int err = errno;
    (void)unused;
    got = sig;
    if (child > 0 && ++times > 2)
        kill(child, SIGKILL);
    else if (child > 0 && info->si_code <= 0)
        kill(child, sig);
    errno = err;
}

static void catch_signals(struct sigaction old[NSIGNALS])
{
    struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    got = times = 0;
    child = 0;
    for (int i = 0; i < NSIGNALS; i++)
        if (sigaction(handed_on[i], NULL, &old[i]) == 0 && old[i].sa_handler != SIG_IGN)
            sigaction(handed_on[i], &a, NULL);
}

static void restore_signals(const struct sigaction old[NSIGNALS])
{
    for (int i = 0; i < NSIGNALS; i++)
        sigaction(handed_on[i], &old[i], NULL);
}

static void block_signals(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < NSIGNALS; i++)
        sigaddset(&set, handed_on[i]);
    sigprocmask(how, &set, NULL);
}

/* MPICH's mpiexec hands a signal on to its ranks and runs on, so ranks that are only starting miss it. When mpiexec is
 * killed, its proxies end all ranks. */
static bool is_mpiexec(const char *command)
{
    const char *slash = strrchr(command, '/'), *name = slash ? slash + 1 : command;
    return strncmp(name, "mpiexec", 7) == 0 || strncmp(name, "mpirun", 6) == 0;
}

/* In the child: becomes the command. If exec fails, writes errno to the descriptor `failed`, which a successful exec
 * closes. */
static _Noreturn void become(char **argv, const struct sigaction old[NSIGNALS], pid_t parent, bool drop, int failed)
{
    int null_fd = drop ? open("/dev/null", O_WRONLY) : -1;
    if (null_fd >= 0)
        dup2(null_fd, STDOUT_FILENO);
    restore_signals(old);
    block_signals(SIG_UNBLOCK);
    prctl(PR_SET_PDEATHSIG, is_mpiexec(argv[0]) ? SIGKILL : SIGTERM);
    if (getppid() != parent)
        _exit(1);
    execvp(argv[0], argv);
    int err = errno;
    _exit(write(failed, &err, sizeof err) == (ssize_t)sizeof err ? 127 : 126);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Past the timeout, sends the command SIGTERM, and TIMEOUT_GRACE_S later SIGKILL. */
static void check_time(struct cs_child *c, pid_t pid, double began)
{
    double late = now() - began - (double)c->timeout;
    if (!c->timeout || late < 0)
        return;
    if (!c->timed_out)
        kill(pid, SIGTERM);
    else if (late > TIMEOUT_GRACE_S)
        kill(pid, SIGKILL);
    c->timed_out = true;
}

/* An mpiexec that still runs INSIST_S after a signal gets it again, and INSIST_S later SIGKILL. */
static void insist(pid_t pid)
{
    static double last;
    static int signals;
    if (!got)
        return;
    if (last == 0)
        last = now();
    if (now() - last < INSIST_S)
        return;
    last = now();
    kill(pid, signals++ ? SIGKILL : got);
}

/* Waits for the command; returns its wait status, or -1. */
static int wait_for(struct cs_child *c, pid_t pid, bool insists)
{
    const struct timespec tick = {0, 20 * 1000 * 1000};
    double began = now();
    int status = 0;
    pid_t n;
    while ((n = waitpid(pid, &status, WNOHANG)) == 0 || (n < 0 && errno == EINTR)) {
        if (!c->silent)
            cs_progress("running", 0, 0);
        check_time(c, pid, began);
        if (insists)
            insist(pid);
        nanosleep(&tick, NULL);
    }
    cs_progress_end();
    return n < 0 ? -1 : status;
}

/* Reads from the child why exec failed, as an errno; 0 once the command runs. */
static int exec_error(int fd)
{
    int err = 0;
    ssize_t n;
    while ((n = read(fd, &err, sizeof err)) < 0 && errno == EINTR)
        continue;
    return n == (ssize_t)sizeof err ? err : 0;
}

int cs_child_run(struct cs_child *c, char **argv)
{
    struct sigaction old[NSIGNALS];
    int failed[2], err, status = -1;
    pid_t own = getpid();
    if (pipe2(failed, O_CLOEXEC))
        return cs_error("cannot start %s: %s", argv[0], strerror(errno)), -1;
    if (c->ours)
        cs_orphans_adopt(); /* without it the command runs as well */
    fflush(stdout);
    block_signals(SIG_BLOCK);
    catch_signals(old);
    pid_t pid = fork();
    if (pid == 0)
        become(argv, old, own, c->drop_stdout, failed[1]);
    err = pid < 0 ? errno : 0;
    child = pid;
    block_signals(SIG_UNBLOCK);
    close(failed[1]);
    if (pid > 0) {
        err = exec_error(failed[0]);
        status = wait_for(c, pid, c->ours && is_mpiexec(argv[0]));
    }
    close(failed[0]);
    child = 0;
    if (c->ours)
        cs_orphans_end(ORPHANS_GRACE_MS);
    restore_signals(old);
    c->signal = got;
    if (err)
        return cs_error("cannot start %s: %s", argv[0], strerror(err)), -1;
    return status;
}
