/* SPDX-License-Identifier: BSD-3-Clause
 * The thread that calls the hang detector once a second. It makes no MPI call, so it needs no thread support of the MPI
 * library. */
#define _GNU_SOURCE
#include "commlib/check/hang_timer.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "commlib/check/hang_detector.h"

static pthread_t thread;
static bool running, stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

/* Sleeps for a second. True when the thread shall end. */
static bool sleep_or_stop(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&mutex);
    if (!stop)
        pthread_cond_timedwait(&cond, &mutex, &until);
    bool end = stop;
    pthread_mutex_unlock(&mutex);
    return end;
}

static void *tick(void *unused)
{
    while (!sleep_or_stop())
        cs_hang_detector_second();
    return NULL;
}

int cs_hang_timer_start(void)
{
    pthread_attr_t attr;
    sigset_t all, old;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 * 1024);
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old); /* signals are the program's */
    int rc = pthread_create(&thread, &attr, tick, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    running = rc == 0;
    return rc;
}

void cs_hang_timer_stop(void)
{
    if (!running)
        return;
    pthread_mutex_lock(&mutex);
    stop = true;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    running = false;
}
