/* commslice-test: uninit_path
 * about: values that are set only on the paths on which they are used, some through an out parameter
 * ranks: 2 3 4
 * gone: roll
 * array: drum 64
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

enum mode { QUIET, RING, PAIR };

struct setup { enum mode mode; int count, peer, tag; double gain; };

/* Only the members that the mode needs are set. */
static int prepare(struct setup *s, int step, int rank, int size)
{
    switch (step % 3) {
    case 1:
        s->mode = RING;
        s->count = 4 + step;
        s->tag = step;
        return 1;
    case 2:
        s->mode = PAIR;
        s->peer = rank ^ 1;
        if (s->peer >= size)
            return 0;
        s->count = 9;
        return 1;
    default:
        s->mode = QUIET;
        return 0;
    }
}

static double roll(double *d, int n)
{
    double x = 0.0;
    for (int i = 0; i < n; i++) {
        d[i] = x;
        x = 0.75 * x + i % 2;
    }
    return x;
}

int main(int argc, char **argv)
{
    int rank, size, n = 0;
    static double best[3];
    double in[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *drum = malloc(N * sizeof *drum);
    for (int step = 0; step < 9; step++) {
        struct setup s;
        int ok = prepare(&s, step, rank, size);
        if (step == 4)
            best[1] = roll(drum, N);
        if (!ok)
            continue;
        if (s.mode == RING)
            MPI_Sendrecv(drum, s.count, MPI_DOUBLE, (rank + 1) % size, s.tag, in, s.count, MPI_DOUBLE,
                         (rank + size - 1) % size, s.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else if (s.mode == PAIR)
            MPI_Sendrecv(drum, s.count, MPI_DOUBLE, s.peer, 77, in, s.count, MPI_DOUBLE, s.peer, 77, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        n += s.count;
    }
    printf("rank %d: %d, %g\n", rank, n, best[1]);
    free(drum);
    MPI_Finalize();
    return 0;
}
