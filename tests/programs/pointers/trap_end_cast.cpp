// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_end_cast
// about: a function that seems to end in an error calls one that ends the run well,
// about: by a pointer to functions with other arguments, to which one was cast
// ranks: 2 3
#include <cstdio>
#include <cstdlib>
#include <mpi.h>

static __attribute__((noinline)) void finish()
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(0);
}

typedef void (*taker)(long);
typedef void (*other)(int, char *);

static void last(long)
{
    finish();
}

static void quiet(long n)
{
    printf("%ld\n", n);
}

static void elsewhere(int n, char *s)
{
    printf("%d %s\n", n, s);
}

static taker first = last;
static other fn = elsewhere;

static __attribute__((noinline)) void choose(int i)
{
    if (i > 100)
        first = quiet;
    fn = reinterpret_cast<other>(first);
}

static __attribute__((noinline)) void call(int i)
{
    fn(i, nullptr);
}

static __attribute__((noinline)) void fail(int i)
{
    choose(i);
    call(i);
    fputs("this does not come back\n", stderr);
    abort();
}

int main(int argc, char **argv)
{
    int size, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 6; i++) {
        MPI_Allreduce(&i, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (i == size)
            fail(i);
    }
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
