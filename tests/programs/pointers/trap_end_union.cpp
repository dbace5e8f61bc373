// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_end_union
// about: a function that seems to end in an error calls one that ends the run well,
// about: by a pointer that a union holds as one to functions with other arguments
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

union either {
    void (*one)(long, long);
    void (*two)(int, char *);
};

static void last(long, long)
{
    finish();
}

static void quiet(long n, long m)
{
    printf("%ld %ld\n", n, m);
}

static either fn;

static __attribute__((noinline)) void choose(int i)
{
    fn.one = i > 100 ? quiet : last;
}

static __attribute__((noinline)) void call(int i)
{
    fn.two(i, nullptr);
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
