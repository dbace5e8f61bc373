/* commslice-test: counts_exchanged
 * about: the counts of an alltoallv come from an alltoall of counts
 * ranks: 2 3 4
 * gone: fill smooth checksum
 * array: field 64
 * marks: content=1
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N (8 * 1024 * 1024)

static double *field;

static void fill(double *a, int n, int rank)
{
    for (int i = 0; i < n; i++)
        a[i] = (double)((i * 31 + rank) % 97);
}

static void smooth(double *a, int n)
{
    for (int i = 1; i < n - 1; i++)
        a[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
}

static double checksum(const double *a, int n)
{
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    field = malloc(N * sizeof *field);
    if (!field)
        MPI_Abort(MPI_COMM_WORLD, 2);
    fill(field, N, rank);
    smooth(field, N);

    int *c = calloc(4 * size, sizeof *c);
    int *scount = c, *rcount = c + size, *sdispl = c + 2 * size, *rdispl = c + 3 * size;
    for (int i = 0; i < size; i++)
        scount[i] = (rank * 7 + i * 3) % 5 + 1;
    MPI_Alltoall(scount, 1, MPI_INT, rcount, 1, MPI_INT, MPI_COMM_WORLD);
    int stot = 0, rtot = 0;
    for (int i = 0; i < size; i++) {
        sdispl[i] = stot;
        rdispl[i] = rtot;
        stot += scount[i];
        rtot += rcount[i];
    }
    double *sbuf = malloc(stot * sizeof *sbuf), *rbuf = malloc(rtot * sizeof *rbuf);
    for (int i = 0; i < stot; i++)
        sbuf[i] = field[(i * 1001) % N];
    MPI_Alltoallv(sbuf, scount, sdispl, MPI_DOUBLE, rbuf, rcount, rdispl, MPI_DOUBLE, MPI_COMM_WORLD);

    /* what was received decides the size of one more message: its number, not its content */
    int right = (rank + 1) % size, left = (rank + size - 1) % size, got = 0;
    double *in = malloc(5 * size * sizeof *in);
    MPI_Status st;
    MPI_Sendrecv(rbuf, rtot, MPI_DOUBLE, right, 3, in, 5 * size, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &st);
    MPI_Get_count(&st, MPI_DOUBLE, &got);
    printf("rank %d received %d and %d, sum %g\n", rank, rtot, got, checksum(field, N) + checksum(in, got));
    free(in);
    free(rbuf);
    free(sbuf);
    free(c);
    free(field);
    MPI_Finalize();
    return 0;
}
