/* commslice-test: trap_status_helper
 * about: statuses and their fields pass through helpers and arrays before they decide anything
 * ranks: 2 3 4
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>

static int rank, size;

static void shift(int count, int tag, int by)
{
    static double out[256], in[256];
    MPI_Sendrecv(out, count, MPI_DOUBLE, (rank + by) % size, tag, in, 256, MPI_DOUBLE, (rank + 8 * size - by) % size,
        tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

struct seen { int from, tag, n; };

static struct seen look(const MPI_Status *st)
{
    struct seen s = {st->MPI_SOURCE, st->MPI_TAG, 0};
    MPI_Get_count(st, MPI_INT, &s.n);
    return s;
}

int main(int argc, char **argv)
{
    int out[64] = {0}, in[3][64];
    MPI_Request req[4];
    MPI_Status st[4], keep;
    struct seen s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++)
        MPI_Irecv(in[i], 64, MPI_INT, (rank + size - 1) % size, MPI_ANY_TAG, MPI_COMM_WORLD, &req[i]);
    for (int i = 0; i < 3; i++)
        MPI_Send(out, 5 + 3 * i + rank, MPI_INT, (rank + 1) % size, 20 - i, MPI_COMM_WORLD);
    MPI_Waitall(3, req, st);
    keep = st[2];
    s = look(&keep);
    st[0] = st[1];
    shift(s.n, s.tag, 1);
    s = look(st);
    shift(s.n + 1, s.tag, size - 1);
    MPI_Sendrecv(out, 1, MPI_INT, s.from, 1, in[0], 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("rank %d: %d %d %d\n", rank, s.from, s.tag, s.n);
    MPI_Finalize();
    return 0;
}
