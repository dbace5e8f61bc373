/* commslice-test: assume_value_probe
 * about: messages whose length the receiver learns from MPI_Probe and MPI_Get_count: the argument of the send is
 *        assumed, by rank and by how often it came there, and the length goes with the envelope
 * ranks: 2 3 4
 * assume: assume_value_probe.c:49:count=pick(rank,3,pick(iteration,1,5),2*size-1)
 * gone: count_large
 * marks: content=0
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double field[1 << 12];
static int rank, size;

/* How many values are large: made so that it is what the assumption says. */
static int count_large(int step)
{
    int want = rank % 3 == 0 ? 3 : rank % 3 == 1 ? (step % 2 ? 5 : 1) : 2 * size - 1, n = 0;
    for (int i = 0; i < 1 << 12; i++)
        field[i] = i * 0.25 + step;
    for (int i = 0; i < 1 << 12; i++)
        n += field[i] - step < want * 0.25;
    return n;
}

static int receive(int from)
{
    MPI_Status s;
    int n;
    MPI_Probe(from, 5, MPI_COMM_WORLD, &s);
    MPI_Get_count(&s, MPI_DOUBLE, &n);
    double *in = malloc((size_t)n * sizeof *in);
    MPI_Recv(in, n, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int last = in[n - 1] > 0;
    free(in);
    return last;
}

int main(int argc, char **argv)
{
    int positive = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 8; step++) {
        MPI_Request r;
        int n = count_large(step);
        MPI_Isend(field, n, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD, &r);
        positive += receive((rank + size - 1) % size);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    printf("rank %d: %d\n", rank, positive);
    MPI_Finalize();
    return 0;
}
