/* commslice-test: trap_mprobe
 * about: a matched probe: the message handle goes through a struct to the Mrecv in another function
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

struct mail { MPI_Message msg; int n; };

static struct mail expect(int from)
{
    struct mail m;
    MPI_Status st;
    MPI_Mprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &m.msg, &st);
    MPI_Get_count(&st, MPI_INT, &m.n);
    return m;
}

static int take(struct mail *m)
{
    int buf[64] = {0}, s = 0;
    MPI_Mrecv(buf, m->n, MPI_INT, &m->msg, MPI_STATUS_IGNORE);
    for (int i = 0; i < m->n; i++)
        s += buf[i];
    return s;
}

int main(int argc, char **argv)
{
    int out[64], s = 0;
    struct mail a, b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 64; i++)
        out[i] = i % 5;
    MPI_Send(out, 4 + rank, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
    MPI_Send(out, 9, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD);
    a = expect((rank + size - 1) % size);
    b = expect((rank + size - 1) % size);
    s = take(&b);                        /* not in the order of arrival */
    shift(s, 3, 1);
    s = take(&a);
    shift(s + a.n, 4, 1);
    printf("rank %d: %d %d\n", rank, s, b.n);
    MPI_Finalize();
    return 0;
}
