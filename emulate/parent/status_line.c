/* SPDX-License-Identifier: BSD-3-Clause
 * The status line; see status_line.h. The time left is an estimate: the other ranks are taken to have as many events as
 * the mean of those that are done. */
#include "emulate/parent/status_line.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/environment.h"
#include "emulate/world/shared_memory.h"

#define FIRST_AFTER 2.0 /* seconds */
#define EVERY 0.25

static bool shown;
static double began;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 1234567 -> "1.23 million". */
static const char *amount(double n, char *buf, size_t len)
{
    if (n >= 1e9)
        snprintf(buf, len, "%.2f billion", n / 1e9);
    else if (n >= 1e6)
        snprintf(buf, len, "%.2f million", n / 1e6);
    else
        snprintf(buf, len, "%.0f", n);
    return buf;
}

static const char *time_left(double seconds, char *buf, size_t len)
{
    if (seconds < 100)
        snprintf(buf, len, ", about %.0f s left", seconds);
    else if (seconds < 6000)
        snprintf(buf, len, ", about %.0f min left", seconds / 60);
    else
        snprintf(buf, len, ", about %.0f h left", seconds / 3600);
    return buf;
}

static void show(int done, double at)
{
    static double events_before, at_before;
    char events_text[32], rate_text[32], left[48] = "";
    double events = 0, of_done = 0;
    int n = cs_emu_world->end - cs_emu_world->first;
    for (int i = cs_emu_world->first; i < cs_emu_world->end; i++) {
        double k = (double)cs_emu_world->rank[i].events;
        events += k;
        of_done += cs_emu_world->rank[i].life >= CS_EMU_FINALIZED ? k : 0;
    }
    double since = at_before ? at_before : began, rate = (events - events_before) / (at - since),
           mean = events / (at - began);
    if (done > 0 && mean > 0)
        time_left((of_done / done * n > events ? of_done / done * n - events : 0) / mean, left, sizeof left);
    events_before = events;
    at_before = at;
    fprintf(stderr, "\rcommslice: %d of %d ranks done, %s events, %s a second%s\033[K", done, n,
            amount(events, events_text, sizeof events_text), amount(rate, rate_text, sizeof rate_text), left);
    shown = true;
}

void cs_emu_status_line(int done)
{
    static int on = -1;
    static double last;
    const char *text = getenv(CS_ENV_PROGRESS);
    if (on < 0) {
        on = text && *text == '1';
        began = now();
    }
    double at = on ? now() : 0;
    if (!on || at - began < FIRST_AFTER || at - last < EVERY)
        return;
    show(done, at);
    last = at;
}

void cs_emu_status_line_end(void)
{
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
}
