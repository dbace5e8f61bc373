// SPDX-License-Identifier: BSD-3-Clause
// commslice-test: trap_end_stream
// about: a function that seems to end in an error prints to a stream whose buffer ends the run well
// ranks: 2 3
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mpi.h>

static __attribute__((noinline)) void finish()
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(0);
}

struct last : std::streambuf {
    int overflow(int) override;
};

int last::overflow(int)
{
    finish();
    return 0;
}

static last buffer;
static std::ostream *out = &std::cerr;

static __attribute__((noinline)) void choose(int i)
{
    if (i < 100)
        out = new std::ostream(&buffer);
}

static __attribute__((noinline)) void call(int i)
{
    *out << "number " << i << std::endl;
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
