/* commslice-test: assume_trips_by_rank
 * about: how often loops send is assumed by rank and by how often they were entered: one that asks first, one that asks
 *        at its end, and one that break leaves, which has another way out, too
 * ranks: 2 3 4
 * assume: assume_trips_by_rank.c:56=pick(rank%3,2,pick(iteration,0,3,1),1)
 * assume: assume_trips_by_rank.c:60=1+(rank+iteration)%2
 * assume: assume_trips_by_rank.c:63=3-iteration
 * gone: parts again few
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

static int parts(int step)
{
    static const int second[] = {0, 3, 1};
    return small(rank % 3 == 0 ? 2 : rank % 3 == 1 ? second[step % 3] : 1);
}

static int again(int step, int k)
{
    return small(k) < 1 + (rank + step) % 2;
}

static int few(int step, int k)
{
    return small(k) >= 2 - step;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; step++) {
        MPI_Request r[16];
        int n = 0, k = 0;
        /* All arrives at the rank itself, so that no rank has to know of another one's numbers. */
        for (int i = 0; i < 16; i++)
            MPI_Irecv(field + 100 * i, 8, MPI_DOUBLE, MPI_PROC_NULL, i, MPI_COMM_WORLD, &r[i]);
        for (int part = 0; part < parts(step); part++)
            MPI_Sendrecv(field, 1 + part, MPI_DOUBLE, rank, 20, field + 2000, 9, MPI_DOUBLE, rank, 20, HERE);
        do {
            MPI_Sendrecv(field, 4 + k++, MPI_DOUBLE, rank, 21, field + 2000, 9, MPI_DOUBLE, rank, 21, HERE);
        } while (again(step, k));
        for (int i = 0; i < 9; i++) {
            MPI_Sendrecv(field, 7, MPI_DOUBLE, rank, 22 + i, field + 2000, 9, MPI_DOUBLE, rank, 22 + i, HERE);
            if (few(step, i))
                break;
        }
        while (n < 16)
            MPI_Wait(&r[n++], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
