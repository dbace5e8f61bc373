// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_end_throw
// about: an endless loop of virtual calls ends by an exception; exit(0) in a handler after MPI_Finalize, a terminate
// about: handler that ends well
// ranks: 2 3
// checker-ranks: 1 9
#include <cstdlib>
#include <exception>
#include <mpi.h>

static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

struct task {
    virtual void go(int k) { meet(k + 1); }
    virtual ~task() {}
};

struct last : task {
    void go(int k) override { if (k > 5) throw k; }
};

static __attribute__((noinline)) void run(task **t)
{
    for (int k = 0; ; k++)
        t[k % 3]->go(k + size);
}

static __attribute__((noinline)) void step(int k)
{
    meet(k + 1);
    if (k == size) {
        MPI_Finalize();
        throw 1;
    }
}

static void bye()
{
    exit(0);
}

int main(int argc, char **argv)
{
    task a, b;
    last c;
    task *t[3] = { &a, &b, &c };
    int n = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1)
        try { run(t); } catch (int k) { n = k; }
    meet(n);
    std::set_terminate(bye);
    if (size > 2)
        for (int k = 0; k < 9; k++) step(k);
    meet(40);
    try {
        for (int k = 0; k < 9; k++) step(k);
    } catch (int) {
        exit(0);
    }
    meet(50);
    MPI_Finalize();
    return 0;
}
