/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the work loop of generated programs is on this machine. The fastest of many short stretches counts: whatever else
 * runs here makes it only slower. */
#include <time.h>

#include "skeleton.h"

#include "prelude_work.c"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double cs_skeleton_work_rate(void)
{
    enum { TURNS = 200000, STRETCHES = 100 };
    double best = 0, begin = now();
    for (int i = 0; i < STRETCHES && (i < 20 || now() - begin < 0.1); i++) {
        double from = now();
        work(TURNS);
        double took = now() - from;
        if (took > 0 && TURNS / took > best)
            best = TURNS / took;
    }
    return best;
}
