/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_handed_through
 * about: numbers that look like error codes come to a caller that goes on through functions which only return what
 * about: they got (found, again, all done), or only if it is above 0; or the run ends well behind the call: in a
 * about: function that sees the code in a variable, as another number, or before it is returned, or in one that
 * about: pthread_once calls
 * ranks: 2 3
 * args: 6
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static double x[64];
static int seen, tries;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int cast(int count)
{
    return MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int find(int k, int *where)
{
    for (int i = 0; i < 10; i++)
        if (i == k) {
            *where = i;
            return 1;
        }
    return 0;
}

static int look(int k, int *where)
{
    return find(k, where);
}

static int attempt(void)
{
    tries++;
    cast(tries);
    if (tries < 4)
        return -1;
    return 0;
}

static int again(void)
{
    return attempt();
}

static int minus(int k)
{
    cast(k);
    if (k == 6)
        return -2;
    return 0;
}

/* Takes a number below 0 for none. */
static int plus(int k)
{
    int code = minus(k);
    if (code > 0)
        return code;
    cast(7);
    return 0;
}

static int last(int k, int n)
{
    if (k == n)
        return 2;
    return 0;
}

static void finish(int code)
{
    if (code != 2 && code != -2)
        return;
    cast(11);
    MPI_Finalize();
    exit(0);
}

static void finish_seen(void)
{
    finish(seen);
}

/* The run may end before the code is returned. */
static int last_finish(int k)
{
    int code = last(k, 5);
    finish(code);
    return code;
}

static void finalize(void)
{
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), where = 0, code;
    if (look(n, &where))
        cast(30 + where);
    while (again())
        cast(20);
    if (plus(n))
        return 5;
    code = last_finish(n);
    if (code)
        return 1;
    code = last(n, 7);
    finish(-code);
    if (code)
        return 2;
    code = last(n, 8);
    seen = code;
    finish_seen();
    if (code)
        return 3;
    code = last(n, 6);
    cast(code + 5);
    pthread_once(&once, finalize);
    return 0;
}
