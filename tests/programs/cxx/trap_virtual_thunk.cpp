// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_virtual_thunk
// about: a virtual function that asks nothing of its object, called by a table of a virtual base:
// about: a thunk asks that table where the object begins
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

struct base {
    int n;
    virtual ~base() {}
    virtual void go(int);
};

struct left : virtual base {
    void go(int) override;
};

struct right : virtual base {};

struct both : right, left {};

void base::go(int i)
{
    printf("%d\n", i + n);
}

void left::go(int)
{
    finish();
}

static base *it;

static __attribute__((noinline)) void choose(int i)
{
    it = i > 100 ? new base : static_cast<base *>(static_cast<right *>(new both));
}

static __attribute__((noinline)) void call(int i)
{
    it->go(i);
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
