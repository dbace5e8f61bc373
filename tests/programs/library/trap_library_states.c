/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_library_states
 * about: what library functions keep for later calls (tables, pending signals, timers, the time zone, counts of
 * about: messages), what they read beside their arguments (the rest of a struct tm, errno by %m, the second text of
 * about: dgettext), and memory that they make anew at a given place
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <libintl.h>
#include <mpi.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static double field[256];
static char page[8192] __attribute__((aligned(4096)));

static void say(int n)
{
    MPI_Bcast(field, n & 127, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void tables(void)
{
    struct hsearch_data own;
    memset(&own, 0, sizeof own);
    hcreate(10);
    say(hcreate(10) ? 3 : 7); /* there is one already */
    hcreate_r(10, &own);
    say(hcreate_r(10, &own) ? 4 : 8);
}

static void signals(void)
{
    sigset_t one, pending;
    int got;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, NULL);
    raise(SIGUSR1);
    sigwait(&one, &got);
    sigpending(&pending);
    say(sigismember(&pending, SIGUSR1) ? 5 : 9);
}

static void timers(void)
{
    struct itimerval set = {.it_interval.tv_sec = 17}, got = {0};
    setitimer(ITIMER_VIRTUAL, &set, NULL);
    getitimer(ITIMER_VIRTUAL, &got);
    say((int)got.it_interval.tv_sec);
}

static void times(void)
{
    struct tm t = {.tm_year = 70, .tm_mday = 1};
    setenv("TZ", "EST5", 1);
    timegm(&t);
    say((int)(timezone / 3600));
    memset(&t, 0, sizeof t);
    t.tm_year = 120;
    t.tm_mon = 3;
    strptime("13", "%d", &t);
    say(t.tm_wday + 10);
}

static void messages(void)
{
    char text[8] = "hello", long_text[64];
    char *same = dgettext("none", text);
    text[3] = 0;
    say((int)strlen(same));
    error(0, 0, "one");
    say((int)error_message_count + 20);
    errno = ENOENT;
    say(snprintf(long_text, sizeof long_text, "%m"));
}

static void threads(void)
{
    int was = 9;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &was);
    say(was + 30);
}

static void pages(void)
{
    page[0] = 5;
    mmap(page, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    say(page[0] + 40);
    char *more = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    more[0] = 6;
    madvise(more, 4096, MADV_DONTNEED);
    say(more[0] + 50);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    tables();
    signals();
    timers();
    times();
    messages();
    threads();
    pages();
    MPI_Finalize();
    return 0;
}
