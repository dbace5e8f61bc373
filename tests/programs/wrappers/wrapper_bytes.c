/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: wrapper_bytes
 * about: sums and broadcasts go through wrappers with their callers' bytes;
 * about: numbers decide the counts, the field nothing
 * ranks: 2 3 4
 * gone: smooth
 * marks: content=2
 */
#include <mpi.h>
#include <stdio.h>

#define N 40

static void share(void *buf, int bytes, int root)
{
    MPI_Bcast(buf, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
}

static void shift(const void *out, void *in, int bytes, int tag)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % size, tag, in, bytes, MPI_BYTE, (rank + size - 1) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A wrapper of wrappers. */
static void share_and_shift(void *buf, void *in, int bytes, int tag)
{
    share(buf, bytes, 0);
    shift(buf, in, bytes, tag);
}

static double smooth(double *u, const double *edge)
{
    double sum = edge[0];
    for (int i = 1; i < N; i++) {
        u[i] = 0.5 * (u[i] + u[i - 1]) + edge[i % 4];
        sum += u[i];
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, plan[3] = {0, 0, 0}, other[3] = {0, 0, 0};
    double u[N] = {1.0}, edge[4], theirs[4] = {0}, sum = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        plan[0] = 3 + argc;
        plan[1] = 2;
    }
    share_and_shift(plan, other, sizeof plan, 1);
    for (int i = 0; i < other[0]; i++) {
        sum += smooth(u, theirs);
        for (int k = 0; k < 4; k++)
            edge[k] = u[N - 1 - k];
        shift(edge, theirs, other[1] * (int)sizeof edge[0], 2);
        share(&sum, sizeof sum, 0);
    }
    printf("rank %d: %d steps, %g\n", rank, other[0], sum);
    MPI_Finalize();
    return 0;
}
