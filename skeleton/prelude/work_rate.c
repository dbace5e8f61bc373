/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the work loop of generated programs is on this machine, on the thread's own clock. Recorded gaps have
 * interruptions by the system in them, too small to be seen singly: so must the rate, or they would come twice. The
 * other processors work meanwhile, as they did while the program was recorded: what they share makes all slower. */
#define _GNU_SOURCE 1
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "skeleton/skeleton.h"

#include "skeleton/prelude/prelude_work.c"

/* Turns of one measurement, and how many measurements there are at least. */
enum { TURNS = 500000, AT_LEAST = 21 };

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double measure(void)
{
    work_begin();
    double begin = now(CLOCK_MONOTONIC), from = now(CLOCK_THREAD_CPUTIME_ID), took;
    long turns = 0;
    do {
        work(TURNS);
        turns += TURNS;
        took = now(CLOCK_THREAD_CPUTIME_ID) - from;
    } while (turns < AT_LEAST * (long)TURNS || now(CLOCK_MONOTONIC) - begin < 0.2);
    return took > 0 ? (double)turns / took : 0;
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
