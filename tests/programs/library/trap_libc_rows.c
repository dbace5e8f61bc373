/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_libc_rows
 * about: what calls read beside the obvious: times to sleep, names of threads, a shift state, the rounding mode;
 * about: error() that comes back
 * ranks: 2 3
 */
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <wchar.h>
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static void rest(long us)
{
    struct timespec t;
    t.tv_sec = us / 1000000;
    t.tv_nsec = us % 1000000 * 1000;
    if (nanosleep(&t, NULL)) meet(99);
}

static void names(void)
{
    char in[16] = "p", out[16] = "";
    struct sched_param p = { .sched_priority = 7 };
    in[1] = (char)('0' + size);
    in[2] = 0;
    prctl(PR_SET_NAME, in);
    prctl(PR_GET_NAME, out);
    meet(out[1]);
    in[1] = (char)('3' + size);
    pthread_setname_np(pthread_self(), in);
    pthread_getname_np(pthread_self(), out, sizeof out);
    meet(out[1]);
    sched_getparam(0, &p);
    meet(p.sched_priority + size);
}

static void letters(void)
{
    char s[4] = "\xc3\xa4";
    wchar_t w = 0, dead = 0;
    mbstate_t state;
    memset(&state, 0, sizeof state);
    setlocale(LC_ALL, "C.UTF-8");
    s[1] = (char)(0xa0 + size % 32);
    mbrtowc(&dead, s, 1, &state);
    meet((int)mbrtowc(&w, s + 1, 1, &state) + (int)(w & 31));
}

static void rounding(void)
{
    volatile double x = size + 0.3, y = size + 0.7, one = 1, three = 3, up, down;
    fesetround(FE_UPWARD);
    meet((int)lrint(x));
    meet((int)nearbyint(x) + 10);
    up = one / three;
    fesetround(FE_DOWNWARD);
    down = one / three;
    fesetround(FE_TONEAREST);
    meet(7 + (int)((up - down) * 0x1p54));          /* they are neighbours */
    meet((int)lrint(y) + 20);
}

static void pointers(void)
{
    static _Atomic(int *) p;
    static int x, y;
    int *q;
    atomic_store(&p, &x);
    q = atomic_load(&p);
    *q = size + 21;
    meet(x);
    q = atomic_exchange(&p, &y);
    *q = size + 31;
    meet(x);
    *atomic_load(&p) = size + 41;
    meet(y);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (long us = 100 + size; us > -300; us -= 300) {      /* the second time is none */
        rest(us);
        meet(us > 0 ? 97 : 98);
    }
    names();
    letters();
    rounding();
    pointers();
    if (size > 2) error(0, 0, "only a warning of %d", size);
    else meet(1);
    if (size > 2) {
        error(0, EINVAL, "another");
        meet(8);
    }
    MPI_Finalize();
    return 0;
}
