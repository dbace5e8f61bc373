/* commslice-test: assume_value_received
 * about: a member of a struct gets what a reduction brings: it is assumed where it is stored, and neither what the
 *        reduction brings nor what it reduces is needed
 * ranks: 2 3 4
 * assume: assume_value_received.c:37:rounds=4
 * gone: work
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* What decides the program. */
struct plan {
    double weight;
    int rounds, other;
};

static double data[1 << 14];

static int work(int rank)
{
    double s = 0;
    for (int i = 0; i < 1 << 14; i++)
        s += data[i] = i % 7 * 0.5 + rank;
    return s > 0 ? 4 : 9;
}

int main(int argc, char **argv)
{
    struct plan p = {1.5, 0, 3};
    int rank, own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own = work(rank);
    MPI_Allreduce(&own, &p.other, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    p.rounds = p.other;
    for (int i = 0; i < p.rounds; i++)
        MPI_Bcast(data, 10 * p.rounds + i, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("rank %d: %d rounds, %g\n", rank, p.rounds, p.weight);
    MPI_Finalize();
    return 0;
}
