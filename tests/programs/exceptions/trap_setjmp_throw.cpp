/* commslice-test: trap_setjmp_throw
 * about: functions out of which come exceptions and jumps, to a handler or a setjmp of the caller or of a function
 * about: above it
 * ranks: 2 3
 * gone: chew
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <csetjmp>
#include <cstdio>
#include <stdexcept>

static std::jmp_buf place;
static int rank, size, state;
static double table[10000];

static void ring(int count, int tag)
{
    double out[64] = {0}, in[64];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + 1) % size, tag, in, count, MPI_DOUBLE, (rank + size - 1) % size, tag,
        MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

extern "C" void chew(int n)
{
    for (int i = 0; i < n; i++)
        table[i % 10000] += i;
}

static void leaf(int k)
{
    state = k;
    if (k == 6)
        throw 17;
    if (k % 3 == 1)
        throw std::runtime_error("thrown");
    if (k % 3 == 2)
        std::longjmp(place, k);
    state = 50;
}

static void both(int step)
{
    volatile int k = step;
    int why = setjmp(place);
    if (why == 0) {
        try {
            chew(100);
            leaf(k);
            ring(2, k);
        } catch (const std::exception &) {
            ring(3 + state % 7, 20 + k);
            chew(10);
        }
    } else {
        ring(10 + why + state % 5, 40 + k);
    }
    ring(1, 60);
}

static void passes_on(int k)
{
    try {
        leaf(k);
    } catch (int) {
        ring(9, 99);
    }
    ring(5 + state % 11, 70 + k);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < 6; k++)
        both(k);
    volatile int k = 0;
    int why = setjmp(place);
    ring(1 + why, 80);
    while (k < 6) {
        k = k + 1;
        try {
            passes_on(k);
        } catch (const std::exception &) {
            ring(4, 81);
        }
    }
    std::printf("rank %d: %g\n", rank, table[0]);
    MPI_Finalize();
    return 0;
}
