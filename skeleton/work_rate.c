/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the work loop of generated programs is on this machine: the mean of many short stretches, on the thread's own clock, without the slowest
 * twentieth. Recorded gaps have interruptions by the system in them, too small to be seen singly: so must the rate, or they would come twice.
 * The other processors work meanwhile, as they did while the program was recorded: what they share makes all slower. */
#define _GNU_SOURCE 1
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "skeleton.h"

#include "prelude_work.c"

enum { TURNS = 500000 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double measure(void)
{
    enum { STRETCHES = 400, AT_LEAST = 21 };
    double rate[STRETCHES], begin = now(CLOCK_MONOTONIC);
    size_t n = 0;
    work_begin();
    for (int i = 0; i < STRETCHES && (i < AT_LEAST || now(CLOCK_MONOTONIC) - begin < 0.2); i++) {
        double from = now(CLOCK_THREAD_CPUTIME_ID);
        work(TURNS);
        double took = now(CLOCK_THREAD_CPUTIME_ID) - from;
        if (took > 0)
            rate[n++] = TURNS / took;
    }
    qsort(rate, n, sizeof *rate, compare);
    double seconds = 0;
    for (size_t i = n / 20; i < n; i++)
        seconds += 1 / rate[i];
    return n ? (double)(n - n / 20) / seconds : 0;
}

/* A process that works until it is killed, or its parent is no more; -1: none. */
static pid_t worker(void)
{
    pid_t parent = getpid(), pid = fork();
    if (pid)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    work_begin();
    while (getppid() == parent)
        work(TURNS);
    _exit(0);
}

double cs_skeleton_work_rate(int nranks)
{
    enum { WORKERS_MAX = 255 };
    cpu_set_t set;
    pid_t pid[WORKERS_MAX];
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) - 1 : 0;
    n = n > nranks - 1 ? nranks - 1 : n;
    n = n > WORKERS_MAX ? WORKERS_MAX : n;
    for (int i = 0; i < n; i++)
        pid[i] = worker();
    double rate = measure();
    for (int i = 0; i < n; i++)
        if (pid[i] > 0) {
            kill(pid[i], SIGKILL);
            waitpid(pid[i], NULL, 0);
        }
    return rate;
}
