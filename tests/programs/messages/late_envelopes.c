/* commslice-test: late_envelopes
 * about: messages that only have to be out of the way of one that says how long the next ones are: nothing shows what
 * about: other ranks did first, so that nobody waits for them
 * ranks: 2 3 4
 * order: none
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

enum { TURNS = 30 };
static double in[1000], out[1000];

/* All with one tag, so that the slicer cannot tell them from the lengths. */
static void halo(int to, int from, int n)
{
    MPI_Request r[2];
    for (int i = 0; i < 1000; i++)
        out[i] += i + in[n % 1000];
    MPI_Sendrecv(out, 100, MPI_DOUBLE, to, 0, in, 1000, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 50, MPI_DOUBLE, to, 0, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(in, 1000, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Irecv(in, 10, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send(out, 10, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;
    long n = 7, heard = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn % 10 == 0) {
            n = (3 * heard + rank + turn) % 200 + 1;
            MPI_Sendrecv(&n, 1, MPI_LONG, to, 0, &heard, 1, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        halo(to, from, (int)n);
        if (turn % 15 == 0) {
            MPI_Send(out, (int)(heard % 100), MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
            MPI_Recv(in, 1000, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    printf("%d of %d: %ld\n", rank, size, heard);
    MPI_Finalize();
    return 0;
}
