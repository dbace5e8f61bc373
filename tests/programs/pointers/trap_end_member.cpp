// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_end_member
// about: a function that seems to end in an error calls a method that ends the run well,
// about: by a pointer to members that take something else, to which one was cast
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

struct thing {
    int n;
    void last(long);
    void quiet(int);
};

void thing::last(long)
{
    finish();
}

void thing::quiet(int i)
{
    printf("%d\n", i + n);
}

typedef void (thing::*member)(char *);
static member fn;
static thing it;

static __attribute__((noinline)) void choose(int i)
{
    fn = i > 100 ? reinterpret_cast<member>(&thing::quiet) : reinterpret_cast<member>(&thing::last);
}

static __attribute__((noinline)) void call(int)
{
    (it.*fn)(nullptr);
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
