/* commslice-test: assume_when
 * about: what data decides each time, whether parts of a mesh move and whom a rank asks, is assumed by rank and by how
 *        often it was asked: a condition, the second comparison of one, and one with an else
 * ranks: 2 3 4
 * assume: assume_when.c:42=when(pick(rank%3,pick(iteration,0,1,1),1,pick(iteration,1,0)))
 * assume: assume_when.c:44.2=when((rank+iteration)%2)
 * assume: assume_when.c:46=when(iteration>=2)
 * gone: small moves asks late
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>

#define HERE MPI_COMM_WORLD, MPI_STATUS_IGNORE

static double field[1 << 12];
static int rank, size;

/* How many values are small: made so that it is `want`. */
static int small(int want)
{
    int n = 0;
    for (int i = 0; i < 1 << 12; i++)
        field[i] = i * 0.25;
    for (int i = 0; i < 1 << 12; i++)
        n += field[i] < want * 0.25;
    return n;
}

static int moves(int step)
{
    return small(rank % 3 == 0 ? step % 3 : rank % 3 == 1 ? 7 : 1 - step % 2) > 0;
}
static int asks(int step) { return small((rank + step) % 2) == 1; }
static int late(int step) { return small(step) >= 2; }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 7; step++) {
        if (moves(step))
            MPI_Sendrecv(field, 5, MPI_DOUBLE, rank, 20, field + 2000, 9, MPI_DOUBLE, rank, 20, HERE);
        if (size > 1 && asks(step))
            MPI_Sendrecv(field, 6, MPI_DOUBLE, rank, 21, field + 2000, 9, MPI_DOUBLE, rank, 21, HERE);
        if (late(step))
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Allreduce(field, field + 100, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
