/* SPDX-License-Identifier: BSD-3-Clause
 * Measures scheduling delay by /proc/thread-self/schedstat: how long a thread was ready and did not run. Reading it
 * costs about a microsecond, so it is read only if a call, or the time between two calls, was long, and the thread's
 * processor time grew by less than the wall clock. A thread that loses its processor loses it for long. */
#define _GNU_SOURCE
#include "commlib/state/sched_delay.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "commlib/state/run_state.h"

/* When it pays to look, and where the descriptor lies. */
enum {
    LONG_NS = 20000, /* a shorter stretch of time is not looked at: a look costs 0.3 to 3 us */
    SLOW_NS = 5000,  /* with a smaller difference of the two clocks schedstat is not read */
    FD_LOW = 200     /* lowest descriptor that is used, so that the program's files keep their numbers */
};

/* What a look saw, in ns: both clocks, and the delay of schedstat (-1: unknown). */
struct look {
    int64_t wall, cpu, delay;
};

static __thread struct look last;
static __thread int64_t begun, ended, recording; /* the last call, and ns spent recording it; ended 0: none yet */
static __thread int fd;                          /* 0: not yet open, -1: cannot be had */

static int64_t thread_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void open_schedstat(void)
{
    int low = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, FD_LOW);
    if (low >= 0)
        close(low);
}

/* ns that the thread was ready and waited for a processor, since it began; -1: unknown. */
static int64_t run_delay(void)
{
    char text[96], *end;
    if (fd == 0)
        open_schedstat();
    ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text - 1, 0);
    if (n <= 0)
        return -1;
    text[n] = '\0';
    strtoll(text, &end, 10);
    return strtoll(end, NULL, 10);
}

/* Looks, if the stretch from `from` to `now` is long. Returns the ns lost in it: all that was lost since the last look,
 * as short stretches between the two are taken to have lost none. */
static int64_t look(int64_t from, int64_t now)
{
    if (now - from < LONG_NS)
        return 0;
    struct look before = last;
    last = (struct look){now, thread_clock(), before.delay};
    int64_t idle = now - before.wall - (last.cpu - before.cpu);
    if (before.wall && idle < SLOW_NS)
        return 0;
    last.delay = run_delay();
    if (!before.wall || last.delay < 0 || before.delay < 0)
        return 0;
    int64_t lost = last.delay - before.delay;
    lost = lost > idle ? idle : lost; /* schedstat has been seen to count time in which the thread ran */
    return lost > now - from ? now - from : lost;
}

int64_t cs_sched_delay_enter(int64_t enter)
{
    begun = enter;
    if (ended == 0)
        return 0;
    int64_t lost = look(ended, enter) + recording;
    return lost > enter - ended ? enter - ended : lost;
}

void cs_sched_delay_exit(int64_t exit, bool wrote)
{
    bool looked = exit - begun >= LONG_NS;
    look(begun, exit);
    ended = exit;
    recording = wrote || looked ? cs_now() - cs_run.t0 - exit : 0;
    if (recording >= LONG_NS)
        look(exit, exit + recording);
}
