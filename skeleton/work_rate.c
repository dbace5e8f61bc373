/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the work loop of generated programs is on this machine: the mean of many short stretches, on the thread's own clock, without the slowest
 * twentieth. Recorded gaps have interruptions by the system in them, too small to be seen singly: so must the rate, or they would come twice. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <time.h>

#include "skeleton.h"

#include "prelude_work.c"

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

double cs_skeleton_work_rate(void)
{
    enum { TURNS = 500000, STRETCHES = 400, AT_LEAST = 21 };
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
