/* commslice-test: any_probe
 * about: a master probes any source and any tag; Get_count and the tag decide what it asks for next
 * ranks: 2 3 4
 * gone: simulate
 * array: sample 64
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)
#define GO 7

static double simulate(double *s, int n, int seed)
{
    double t = 0.0;
    for (int i = 0; i < n; i++) {
        s[i] = (double)((i * 17 + seed) % 29);
        t += s[i];
    }
    return t;
}

/* One worker at a time has been asked, so only one message can be there: not a matter of timing. */
static int master(int size)
{
    int wish = 3, total = 0;
    for (int round = 0; round < 3; round++)
        for (int w = 1; w < size; w++) {
            MPI_Status st;
            int got;
            MPI_Send(&wish, 1, MPI_INT, w, GO, MPI_COMM_WORLD);
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
            MPI_Get_count(&st, MPI_DOUBLE, &got);
            double *in = malloc(got * sizeof *in);
            MPI_Recv(in, got, MPI_DOUBLE, st.MPI_SOURCE, st.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            total += got;
            wish = (got * 3 + st.MPI_TAG + st.MPI_SOURCE) % 50 + 1;
            free(in);
        }
    wish = 0;
    for (int w = 1; w < size; w++)
        MPI_Send(&wish, 1, MPI_INT, w, GO, MPI_COMM_WORLD);
    return total;
}

static int worker(int rank, double *sample)
{
    int wish, total = 0;
    for (;;) {
        MPI_Recv(&wish, 1, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (wish == 0)
            return total;
        MPI_Send(sample + wish, wish + rank, MPI_DOUBLE, 0, 100 + wish % 3, MPI_COMM_WORLD);
        total += wish;
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *sample = malloc(N * sizeof *sample), t = simulate(sample, N, rank);
    int total = rank ? worker(rank, sample) : master(size);
    MPI_Bcast(&t, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("rank %d: %d, %g\n", rank, total, t);
    free(sample);
    MPI_Finalize();
    return 0;
}
