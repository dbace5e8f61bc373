/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_handed_up
 * about: numbers that functions return as error codes are returned, and that some caller goes on with: it takes one
 * about: back, ends the run well by another one, loses bits of it, or gets it through a pointer
 * ranks: 2 3
 * args: 6
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double x[64];
static int n;

static int cast(int count)
{
    return MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static int step(int s)
{
    if (s == n)
        return 100;
    if (cast(s + 1))
        return 1;
    return 0;
}

static int loop(void)
{
    for (int s = 0;; s++) {
        int code = step(s);
        if (code)
            return code;
    }
}

/* Takes back a code that means that all is done. */
static int steps(void)
{
    int code = loop();
    if (code == 100) {
        cast(20);
        return code - 100;
    }
    return code;
}

static int wide(int k)
{
    if (k > 2)
        return 512;
    return 0;
}

/* 0 of 512: the caller goes on. */
static signed char narrow(int k)
{
    int code = wide(k);
    if (code)
        return (signed char)code;
    return 1;
}

static int called(int k)
{
    if (k == 4)
        return 9;
    cast(7);
    return 0;
}

static int (*volatile by_pointer)(int) = called;

static int pointed(int k)
{
    int code = called(k);
    if (code)
        return code;
    code = by_pointer(k + 1);
    if (code)
        cast(code);
    return 0;
}

static int last(int k)
{
    if (k == 6)
        return 2;
    return 0;
}

/* Ends the run well before its caller would return the code. */
static void finish(int code)
{
    if (code != 2)
        return;
    cast(11);
    MPI_Finalize();
    exit(0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    n = atoi(argv[1]);
    if (steps())
        return 1;
    cast(narrow(3) ? 31 : 30);
    if (pointed(3))
        return 3;
    int code = last(n / 2);
    finish(code);
    if (code)
        return 4;
    code = last(n);
    if (code)
        goto end;
    cast(12);
end:
    MPI_Finalize();
    return code != 2;
}
