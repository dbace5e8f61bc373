// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_end_method
// about: a function that seems to end in an error calls a virtual function that ends the run well,
// about: by a pointer to functions made of one to a member and an object, as GCC allows
// ranks: 2 3
// flags: -Wno-pmf-conversions
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
    virtual void go(int);
};

struct end : thing {
    void go(int) override;
};

void thing::go(int i)
{
    printf("%d\n", i + n);
}

void end::go(int)
{
    finish();
}

static thing *it;

static void (*fn)(thing *, int);
static void (thing::*member)(int);

static __attribute__((noinline)) void choose(int i)
{
    it = i > 100 ? new thing : new end;
    member = &thing::go;
    fn = (void (*)(thing *, int))(it->*member);
}

static __attribute__((noinline)) void call(int i)
{
    fn(it, i);
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
