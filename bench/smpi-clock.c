/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into SMPI: its clock, less COST ns for each piece of computation, which is what it takes to begin and end
 * one: some microseconds on a virtual machine. */
#define _GNU_SOURCE 1
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t which, struct timespec *t)
{
    static long cost = -1, reads, last;
    int rc = (int)syscall(SYS_clock_gettime, which, t);
    if (which != CLOCK_THREAD_CPUTIME_ID)
        return rc;
    if (cost < 0)
        cost = getenv("COST") ? atol(getenv("COST")) : 0;
    /* each second reading ends a piece; no piece is shorter than nothing */
    long at = t->tv_sec * 1000000000L + t->tv_nsec - cost * (++reads / 2);
    if (at > last)
        last = at;
    t->tv_sec = last / 1000000000L;
    t->tv_nsec = last % 1000000000L;
    return rc;
}
