/* SPDX-License-Identifier: GPL-3.0-or-later
 * The progress line; progress.h. It looks at the clock only now and then, and says nothing of short links. */
#define _POSIX_C_SOURCE 200809L
#include "slicer/graph/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"

#define FIRST_AFTER 5.0 /* seconds */
#define EVERY 0.25
#define LOOK_EVERY 256 /* calls between two looks at the clock */

static bool on, shown;
static double began, last;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cs_progress_start(void)
{
    const char *asked = getenv(CS_ENV_PROGRESS);
    on = (asked && *asked == '1') || isatty(STDERR_FILENO);
    shown = false;
    began = last = now();
}

static void show(const char *phase, int64_t n, const char *what, double seconds)
{
    if (n >= 1000000)
        fprintf(stderr, "\rcommslice: %.0f s: %s, %.2f million %s\033[K", seconds, phase, (double)n * 1e-6, what);
    else
        fprintf(stderr, "\rcommslice: %.0f s: %s, %lld %s\033[K", seconds, phase, (long long)n, what);
    shown = true;
}

void cs_progress(const char *phase, int64_t n, const char *what)
{
    static unsigned calls;
    if (!on || ++calls % LOOK_EVERY)
        return;
    double at = now();
    if (at - began < FIRST_AFTER || at - last < EVERY)
        return;
    last = at;
    show(phase, n, what, at - began);
}

void cs_progress_end(void)
{
    if (shown)
        fprintf(stderr, "\r\033[K");
    on = shown = false;
}
