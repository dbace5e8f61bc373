/* SPDX-License-Identifier: BSD-3-Clause
 * The scheduler knows how long a thread was ready and did not run (/proc/thread-self/schedstat). Asking costs a
 * microsecond, so it is asked only where a stretch between two looks, a call or the time between two calls, was long
 * and the thread's own clock went slower than the wall's. What is lost in short stretches is little: who loses the
 * processor loses it for long. */
#define _GNU_SOURCE
#include "commlib/state/sched_delay.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "commlib/state/run_state.h"

enum {
    LONG_NS = 20000, /* a stretch from which on a look, at 0.3 to 3 us, costs little */
    SLOW_NS = 5000,  /* difference of the clocks that is worth asking for */
    FD_LOW = 200     /* so that the program's files get the numbers that they have without us */
};

struct look {
    int64_t wall, cpu, delay;
};

static __thread struct look last;
static __thread int64_t begun, ended, recording; /* the call under way, and the one before; 0: none in this thread */
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

/* The ns lost in the stretch that ends now and began at `from`: all since the last look, as there was none in what was
 * short. */
static int64_t look(int64_t from, int64_t now)
{
    if (now - from < LONG_NS)
        return 0;
    struct look before = last;
    last = (struct look){now, thread_clock(), before.delay};
    if (before.wall && now - before.wall - (last.cpu - before.cpu) < SLOW_NS)
        return 0;
    last.delay = run_delay();
    if (!before.wall || last.delay < 0 || before.delay < 0)
        return 0;
    int64_t lost = last.delay - before.delay;
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
