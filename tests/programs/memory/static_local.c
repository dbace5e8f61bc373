/* commslice-test: static_local
 * about: static locals remember tags, a state machine and a table that is filled at the first call
 * ranks: 2 3 4
 * gone: accumulate
 * array: store 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

#define N (8 * 1024 * 1024)

enum state { WAKE, WORK, REST, STOP };

static int next_tag(void)
{
    static int tag = 40;
    return tag += 3;
}

/* The table exists from the first call on. */
static const int *sizes(void)
{
    static int table[5], ready;
    if (!ready) {
        for (int i = 0; i < 5; i++)
            table[i] = 4 + i * i;
        ready = 1;
    }
    return table;
}

static enum state step(int rank, int size)
{
    static enum state now = WAKE;
    static int rounds;
    static double in[64], out[64];
    const int *n = sizes();
    int right = (rank + 1) % size, left = (rank + size - 1) % size, tag;
    switch (now) {
    case WAKE:
        now = WORK;
        break;
    case WORK:
        tag = next_tag();
        MPI_Sendrecv(out, n[rounds % 5], MPI_DOUBLE, right, tag, in, n[rounds % 5], MPI_DOUBLE, left, tag,
            MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (++rounds % 3 == 0)
            now = REST;
        break;
    case REST:
        MPI_Barrier(MPI_COMM_WORLD);
        now = rounds > 8 ? STOP : WAKE;
        break;
    case STOP:
        break;
    }
    return now;
}

static double accumulate(int from)
{
    static double store[N], total;
    for (int i = 0; i < N; i++) {
        store[i] += (double)((i + from) % 23);
        total += store[i];
    }
    return total;
}

int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    double t = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (step(rank, size) != STOP)
        if (++steps % 8 == 0)
            t = accumulate(steps);
    printf("rank %d: %d steps, %g\n", rank, steps, t);
    MPI_Finalize();
    return 0;
}
